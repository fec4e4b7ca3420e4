import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { spreadsheetCell } from '../../kernel/spreadsheet-cell.js';
import { headOf, listSections, type Report, summaryRows } from './report.js';
import { type ReportEntry } from './report-source.js';
import { type ZipEntry, zipped } from './zip.js';

/**
 * Rows as RFC 4180 with CRLF. A text cell that a spreadsheet could take for a formula (`=`, `+`, `-`, `@`, tab, CR first or behind a
 * semicolon) gets an apostrophe; numbers do not.
 */
const csv = (rows: readonly (readonly (string | number)[])[]): Buffer =>
  Buffer.from(
    stringify(rows as (string | number)[][], {
      cast: { string: spreadsheetCell },
      record_delimiter: 'windows',
      // A reader may take a lone CR or LF for the end of a row.
      quoted_match: /[\r\n]/,
    }),
  );

const ENTRY_COLUMNS = [
  'id',
  'timestamp',
  'action',
  'identity_hash',
  'result',
  'actor_type',
  'actor_key_id',
  'ip_address',
  'user_agent',
  'request_id',
  'identity_id',
  'decision_id',
  'match_id',
  'member_id',
  'key_id',
  'reason',
  'records',
] as const;

type Row = Record<(typeof ENTRY_COLUMNS)[number], string>;

const rowOf = ({ actor, ...entry }: ReportEntry): Row => ({
  ...entry,
  ip_address: entry.ip_address ?? '',
  identity_id: entry.identity_id ?? '',
  decision_id: entry.decision_id ?? '',
  match_id: entry.match_id ?? '',
  member_id: entry.member_id ?? '',
  key_id: entry.key_id ?? '',
  reason: entry.reason ?? '',
  records: entry.records?.toString() ?? '',
  actor_type: actor.type,
  actor_key_id: actor.key_id ?? actor.member_id ?? '',
});

/** A section's entries under a header line. */
export async function* entriesAsCsv(pages: AsyncIterable<readonly ReportEntry[]>): AsyncGenerator<Buffer> {
  yield csv([ENTRY_COLUMNS]);
  for await (const page of pages) {
    yield csv(page.map(rowOf).map((row) => ENTRY_COLUMNS.map((column) => row[column])));
  }
}

async function* summaryAsCsv(report: Report): AsyncGenerator<Buffer> {
  const rows = summaryRows(await report.source.tally());
  yield csv([['action', 'result', 'entries'], ...rows.map(({ action, result, entries }) => [action, result, entries])]);
}

const headAsCsv = (report: Report): Buffer =>
  csv([['member', 'value'], ...Object.entries(headOf(report)).map(([member, value]) => [member, value ?? ''])]);

/** A report as a zip with a CSV file for what it is and one for each section. */
export const reportAsCsv = (report: Report): AsyncGenerator<Buffer> => {
  const entries: ZipEntry[] = [{ name: 'report.csv', content: () => Readable.from([headAsCsv(report)]) }];
  if (report.include.includes('summary')) entries.push({ name: 'summary.csv', content: () => summaryAsCsv(report) });
  for (const section of listSections(report)) {
    entries.push({ name: `${section}.csv`, content: () => entriesAsCsv(report.source.entries(section)) });
  }
  return zipped(entries, new Date(report.generatedAt));
};
