import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Excludes arrays and objects. COPY writes them in another way than a parameter does. */
export type Cell = string | number | bigint | boolean | null;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const TO_ESCAPE = /[\\\n\r\t]/g;

const escaped = (found: string): string => ESCAPES[found] ?? found;

const cellOf = (value: Cell): string => {
  if (value === null) return '\\N';
  return typeof value === 'string' ? value.replace(TO_ESCAPE, escaped) : String(value);
};

/** A row in COPY's text format, with the end of its line. */
export const copyLine = (row: readonly Cell[]): string => {
  let line = '';
  for (let place = 0; place < row.length; place += 1) line += (place === 0 ? '' : '\t') + cellOf(row[place] ?? null);
  return line + '\n';
};

/** Rows in COPY's text format. */
export const copyRows = (rows: readonly (readonly Cell[])[]): Buffer => {
  let text = '';
  for (const row of rows) text += copyLine(row);
  return Buffer.from(text);
};

/** Runs a COPY … FROM STDIN. `rows` are in the format that the statement asks for. */
export const copyInto = async (client: pg.ClientBase, statement: string, rows: Buffer): Promise<void> => {
  const stream = client.query(copyFrom(statement));
  stream.end(rows);
  await finished(stream);
};
