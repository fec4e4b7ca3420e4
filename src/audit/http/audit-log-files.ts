import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { RawResponse } from '../../platform/http/responses.js';
import { type AuditLogEntryAnswer } from './audit-log.response.js';

export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';
export const AUDIT_LOG_FORMATS = ['application/json', CSV, NDJSON] as const;

const HEADER = [
  'id',
  'timestamp',
  'action',
  'result',
  'identity_hash',
  'actor_type',
  'actor_key_id',
  'ip_address',
  'user_agent',
  'request_id',
];

const cellsOf = ({ actor, ...entry }: AuditLogEntryAnswer): string[] => [
  entry.id,
  entry.timestamp,
  entry.action,
  entry.result,
  entry.identity_hash,
  actor.type,
  actor.key_id ?? '',
  entry.ip_address,
  entry.user_agent,
  entry.request_id,
];

/** RFC 4180. A cell that a spreadsheet could take for a formula gets an apostrophe. */
const csv = (rows: readonly string[][]): string =>
  rows.length === 0 ? '' : stringify(rows as string[][], { escape_formulas: true, record_delimiter: 'windows' });

const ndjson = (entries: readonly AuditLogEntryAnswer[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

async function* texts(pages: AsyncIterable<readonly AuditLogEntryAnswer[]>, format: string): AsyncGenerator<string> {
  if (format === CSV) yield csv([HEADER]);
  for await (const page of pages) {
    const text = format === CSV ? csv(page.map(cellsOf)) : ndjson(page);
    if (text !== '') yield text;
  }
}

/** Streams entries as text. A page is read when the one before was taken, so that memory holds few of them. */
export const streamed = (pages: AsyncIterable<readonly AuditLogEntryAnswer[]>, format: string): RawResponse => {
  const headers = format === CSV ? { 'Content-Disposition': 'attachment; filename="audit-log.csv"' } : {};
  return new RawResponse(200, Readable.from(texts(pages, format)), headers, `${format}; charset=utf-8`);
};
