import { extname } from 'node:path';
import { type Row, readRows } from './csv-rows.js';
import { type Fault, LARGEST_RECORD, readLines, TOO_LARGE } from './lines.js';

/** One record of the file, or why its line is none. */
export interface Line {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** Bytes of the file up to its end. */
  readonly end: number;
  /** As it stands in the file. */
  readonly source: string;
  /** As JSON text, so that no number is rounded on the way; none where the line is at fault. */
  readonly record?: string;
  readonly fault?: Fault;
}

export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const isJsonObject = (text: string): boolean => {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
};

const unreadable = (detail: string): Fault => ({ code: 'UNREADABLE', detail });

async function* readNdjson(file: string): AsyncIterable<Line> {
  for await (const { number: line, end, text: source, fault } of readLines(file)) {
    if (fault !== undefined) yield { line, end, source, fault };
    else if (isJsonObject(source)) yield { line, end, source, record: source };
    else if (source.trim() !== '') yield { line, end, source, fault: unreadable('The line is not a JSON object') };
  }
}

const headerOf = (file: string, row: Row): readonly string[] => {
  const wrong = (what: string) => new UnreadableFile(`${file}, line ${row.number}: ${what}`);
  if ('fault' in row) throw wrong(row.fault.detail);
  const twice = row.cells.find((name, index) => name !== '' && row.cells.indexOf(name) !== index);
  if (twice !== undefined) throw wrong(`The first line names ${twice} twice`);
  if (!row.cells.includes('email')) throw wrong('The first line names no field email, with commas between the names');
  return row.cells;
};

/** An empty cell is an absent field; extra_data stands as JSON. */
const recordOf = (header: readonly string[], cells: readonly string[]): string | Fault => {
  if (cells.length !== header.length)
    return unreadable(`The row has ${cells.length} cells, and the first line names ${header.length} fields`);
  const members: string[] = [];
  for (const [index, name] of header.entries()) {
    const cell = cells[index] ?? '';
    if (name === '' || cell === '') continue;
    const isExtra = name === 'extra_data';
    if (isExtra && !isJsonObject(cell)) return unreadable('extra_data is not a JSON object');
    members.push(`${JSON.stringify(name)}:${isExtra ? cell : JSON.stringify(cell)}`);
  }
  const record = `{${members.join(',')}}`;
  return Buffer.byteLength(record) > LARGEST_RECORD ? TOO_LARGE : record;
};

async function* readCsv(file: string): AsyncIterable<Line> {
  let header: readonly string[] | undefined;
  for await (const row of readRows(file)) {
    const { number: line, end, text: source } = row;
    if (header === undefined) {
      header = headerOf(file, row);
      continue;
    }
    const record = 'fault' in row ? row.fault : recordOf(header, row.cells);
    yield { line, end, source, ...(typeof record === 'string' ? { record } : { fault: record }) };
  }
}

const READERS: Readonly<Record<string, (file: string) => AsyncIterable<Line>>> = {
  '.ndjson': readNdjson,
  '.jsonl': readNdjson,
  '.csv': readCsv,
};

const readerOf = (file: string): ((file: string) => AsyncIterable<Line>) => {
  const reader = READERS[extname(file).toLowerCase()];
  if (reader === undefined) throw new UnreadableFile(`${file} is neither .ndjson nor .csv`);
  return reader;
};

/** Errors: UnreadableFile by its name, before anything is read. */
export const assertReadable = (file: string): void => void readerOf(file);

/** The records of a .ndjson (or .jsonl) file, one object a line, or of a .csv file whose first line names the fields. */
export const readRecords = (file: string): AsyncIterable<Line> => readerOf(file)(file);
