import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { copyRows } from '../../platform/postgres/copy-rows.js';
import { copyText } from './copy.js';
import { moveCheckpoints, schemaOf, type Writer } from './checkpoints.js';
import { type Statement } from './projection.js';
import { type ProjectionSession } from '../../platform/postgres/session.js';

/** The events and statements of a batch for one projection. */
export interface Part extends Writer {
  readonly events: readonly StoredEvent[];
  readonly statements: readonly Statement[];
}

/** Postgres refused this projection's rows. */
export class PartRefused extends Error {
  override readonly name = 'PartRefused';

  constructor(
    readonly projection: string,
    cause: unknown,
  ) {
    super(`the rows of projection ${projection} were refused`, { cause });
  }
}

/** The connection ended while this projection's rows were written, or a statement took too long. */
export class ConnectionLost extends Unavailable {
  constructor(
    readonly projection: string,
    cause: unknown,
  ) {
    super('postgres', { cause });
  }
}

export const partOf = (writer: Writer, events: readonly StoredEvent[]): Part => ({
  ...writer,
  events,
  statements: events.length === 0 ? [] : writer.projection.project(events),
});

/** COPY costs Postgres and this process less than a statement with an array of each column. */
const write = async (session: ProjectionSession, { text, values, copy }: Statement): Promise<void> => {
  if (copy !== undefined && copy.tidy === undefined && copy.rest === undefined)
    await session.copy(copyText(copy), copyRows(copy.rows()));
  else await session.query(text, values);
};

const writeRows = async (session: ProjectionSession, { projection, statements }: Part): Promise<void> => {
  if (statements.length === 0) return;
  try {
    await session.query(`SET LOCAL search_path TO ${schemaOf(projection, 'live')}`);
    for (const statement of statements) await write(session, statement);
  } catch (error) {
    const { name } = projection;
    throw error instanceof Unavailable ? new ConnectionLost(name, error) : new PartRefused(name, error);
  }
};

/**
 * Writes rows and checkpoints of several projections in one transaction. Returns the projections that were written. The
 * others have another writer or are locked by a swap. Throws PartRefused and Unavailable; nothing is written then.
 */
export const writeSharedBatch = (
  session: ProjectionSession,
  parts: readonly Part[],
  position: bigint,
): Promise<ReadonlySet<string>> =>
  session.transaction('projections', async () => {
    const held = await moveCheckpoints(session, parts, position);
    for (const part of parts) if (held.has(part.projection.name)) await writeRows(session, part);
    return held;
  });
