import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';

/** One record of the file, or why its line is none. */
export interface Line {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** As it stands in the file, or as its cells. */
  readonly source: unknown;
  readonly record: Readonly<Record<string, unknown>> | undefined;
  readonly fault?: string;
}

export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

async function* readNdjson(file: string): AsyncIterable<Line> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    const record = parseObject(text);
    yield record === undefined
      ? { line, source: text, record, fault: 'The line is not a JSON object' }
      : { line, source: text, record };
  }
}

/** An empty cell is an absent field; extra_data stands as JSON. */
const recordOfCells = (cells: Readonly<Record<string, string>>): Record<string, unknown> | undefined => {
  const filled = Object.entries(cells).filter(([, value]) => value !== '');
  const { extra_data: extra, ...fields } = Object.fromEntries(filled);
  if (extra === undefined) return fields;
  const parsed = parseObject(extra);
  return parsed === undefined ? undefined : { ...fields, extra_data: parsed };
};

async function* readCsv(file: string): AsyncIterable<Line> {
  const parser = parse({
    columns: true,
    bom: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    info: true,
  });
  // What goes wrong with the file arrives at whoever reads the rows.
  pipeline(createReadStream(file), parser, () => undefined);
  const rows = parser as AsyncIterable<{ info: { lines: number }; record: Record<string, string> }>;
  for await (const { info, record: cells } of rows) {
    const record = recordOfCells(cells);
    const fault = 'extra_data is not a JSON object';
    yield record === undefined
      ? { line: info.lines, source: cells, record, fault }
      : { line: info.lines, source: cells, record };
  }
}

/** The records of a .ndjson (or .jsonl) file, one object a line, or of a .csv file whose first line names the fields. */
export const readRecords = (file: string): AsyncIterable<Line> => {
  switch (extname(file).toLowerCase()) {
    case '.ndjson':
    case '.jsonl':
      return readNdjson(file);
    case '.csv':
      return readCsv(file);
    default:
      throw new UnreadableFile(`${file} is neither .ndjson nor .csv`);
  }
};

/** Lines that go to the service together. */
export interface Batch {
  /** How many lines with content come before it in the file. */
  readonly start: number;
  readonly lines: readonly Line[];
}

const MOST_RECORDS = 500;
/** Well below the body limit of 1 MiB. */
const MOST_BYTES = 600_000;

/** The same file always falls into the same batches, so that a resumed load repeats none under another key. */
export async function* inBatches(lines: AsyncIterable<Line>): AsyncIterable<Batch> {
  let start = 0;
  let held: Line[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const size = Buffer.byteLength(JSON.stringify(line.record ?? null)) + 1;
    if (held.length === MOST_RECORDS || (held.length > 0 && bytes + size > MOST_BYTES)) {
      yield { start, lines: held };
      start += held.length;
      held = [];
      bytes = 0;
    }
    held.push(line);
    bytes += size;
  }
  if (held.length > 0) yield { start, lines: held };
}
