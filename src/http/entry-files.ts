import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { spreadsheetCell } from '../kernel/spreadsheet-cell.js';
import { RawResponse } from './responses.js';

export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';
/** JSON pages first, then the files. */
export const ENTRY_FORMATS = ['application/json', CSV, NDJSON] as const;

/** How entries stand in a CSV file. */
export interface EntryTable<Entry> {
  /** The file's name, without `.csv`. */
  readonly name: string;
  readonly header: readonly string[];
  cellsOf(entry: Entry): string[];
}

/** RFC 4180. A cell that a spreadsheet could take for a formula gets an apostrophe. */
const csv = (rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : stringify(rows as string[][], { cast: { string: spreadsheetCell }, record_delimiter: 'windows' });

const ndjson = (entries: readonly unknown[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

async function* texts<Entry>(
  pages: AsyncIterable<readonly Entry[]>,
  format: string,
  table: EntryTable<Entry>,
): AsyncGenerator<string> {
  if (format === CSV) yield csv([table.header]);
  for await (const page of pages) {
    const text = format === CSV ? csv(page.map((entry) => table.cellsOf(entry))) : ndjson(page);
    if (text !== '') yield text;
  }
}

/** Streams entries as text. A page is read when the one before was taken, so that memory holds few of them. */
export const streamed = <Entry>(
  pages: AsyncIterable<readonly Entry[]>,
  format: string,
  table: EntryTable<Entry>,
): RawResponse => {
  const headers = format === CSV ? { 'Content-Disposition': `attachment; filename="${table.name}.csv"` } : {};
  return new RawResponse(200, Readable.from(texts(pages, format, table)), headers, `${format}; charset=utf-8`);
};
