import { type AuditCursor } from '../../../projections/ledger/audit-log.queries.js';

const PLACE = /^(\d{1,16})\.(\d{1,19})\.(\d{1,10})$/;

/** Opaque to callers, who have no use for its parts. */
export const formatCursor = ({ occurredAt, position, ordinal }: AuditCursor): string =>
  Buffer.from(`${occurredAt.getTime()}.${position}.${ordinal}`).toString('base64url');

/** Undefined if it is no cursor. */
export const parseCursor = (text: string): AuditCursor | undefined => {
  const [, time, position, ordinal] = PLACE.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (time === undefined || position === undefined || ordinal === undefined) return undefined;
  const cursor = { occurredAt: new Date(Number(time)), position, ordinal: Number(ordinal) };
  const fits = !Number.isNaN(cursor.occurredAt.getTime()) && BigInt(position) < 2n ** 63n && cursor.ordinal < 2 ** 31;
  return fits && formatCursor(cursor) === text ? cursor : undefined;
};
