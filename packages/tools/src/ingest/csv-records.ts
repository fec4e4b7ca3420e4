import { type CsvLayout, type CsvOptions, delimiterOf, delimiters, layoutOf, notesOn } from './csv-layout.js';
import { namedDelimiter, readRows, type Row } from './csv-rows.js';
import { type DateFormat } from './date-format.js';
import { type Fault, MAX_RECORD, TOO_LARGE } from './lines.js';
import { isJsonObject, type Line, type RecordFile, unreadable, UnreadableFile } from './record-file.js';
import { type ServiceRules } from './service-rules.js';

const firstRow = async (file: string, delimiter: string): Promise<Row | undefined> => {
  for await (const row of readRows(file, delimiter)) return row;
  return undefined;
};

/** The first line as each delimiter parts it. Errors: UnreadableFile where none can. */
const headersOf = async (file: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const headers = new Map<string, readonly string[]>();
  let wrong: Row | undefined;
  const named = await namedDelimiter(file);
  for (const delimiter of named === undefined ? delimiters() : [named]) {
    const row = await firstRow(file, delimiter);
    if (row !== undefined && 'cells' in row) headers.set(delimiter, row.cells);
    else wrong ??= row;
  }
  if (headers.size === 0 && wrong !== undefined && 'fault' in wrong)
    throw new UnreadableFile(`${file}, line ${wrong.number}: ${wrong.fault.detail}`);
  return headers;
};

/** A date of the file's own form as the service takes it; whether the calendar has it is the service's to say. */
const dateOf = (field: string, cell: string, format: DateFormat): string | Fault => {
  const date = format.read(cell);
  if (field === 'kyc_expires_at') return date === undefined ? cell : `${date}T00:00:00Z`;
  return date ?? { code: 'INVALID_DATE', detail: `${field}: A date, ${format.text}` };
};

const valueOf = (field: string, cell: string, format: DateFormat | undefined): string | Fault => {
  if (field === 'extra_data') return isJsonObject(cell) ? cell : unreadable('extra_data is not a JSON object');
  const isDate = format !== undefined && (field === 'date_of_birth' || field === 'kyc_expires_at');
  const value = isDate ? dateOf(field, cell, format) : cell;
  return typeof value === 'string' ? JSON.stringify(value) : value;
};

/** An empty cell is an absent field; extra_data stands as JSON. */
const recordOf = ({ filled }: CsvLayout, cells: readonly string[], format: DateFormat | undefined): string | Fault => {
  const members: string[] = [];
  const extras: string[] = [];
  for (const [index, one] of filled.entries()) {
    const cell = cells[index] ?? '';
    if (one === undefined || cell === '') continue;
    if ('extra' in one) {
      extras.push(`${JSON.stringify(one.extra)}:${JSON.stringify(cell)}`);
      continue;
    }
    const value = valueOf(one.field, cell, format);
    if (typeof value !== 'string') return value;
    members.push(`${JSON.stringify(one.field)}:${value}`);
  }
  if (extras.length > 0) members.push(`"extra_data":{${extras.join(',')}}`);
  const record = `{${members.join(',')}}`;
  return Buffer.byteLength(record) > MAX_RECORD ? TOO_LARGE : record;
};

const lineOf = (row: Row, layout: CsvLayout, format: DateFormat | undefined): Line => {
  const { number: line, end, text: source } = row;
  if ('fault' in row) return { line, end, source, fault: row.fault };
  const { cells } = row;
  const count = layout.columns.length;
  if (cells.length !== count)
    return {
      ...{ line, end, source },
      fault: unreadable(`The row has ${cells.length} cells, and the first line names ${count} fields`),
    };
  const record = recordOf(layout, cells, format);
  return { line, end, source, cells, ...(typeof record === 'string' ? { record } : { fault: record }) };
};

const isBlank = (row: Row): boolean => 'cells' in row && row.cells.every((cell) => cell === '');

/** Rows of delimiters alone are none. */
async function* readRecords(
  file: string,
  { layout, format, onBlank }: { layout: CsvLayout; format: DateFormat | undefined; onBlank: (() => void) | undefined },
): AsyncIterable<Line> {
  let isFirst = true;
  for await (const row of readRows(file, layout.delimiter)) {
    if (!isFirst && isBlank(row)) onBlank?.();
    else if (!isFirst) yield lineOf(row, layout, format);
    isFirst = false;
  }
}

/** Errors: UnreadableFile where the first line does not name the fields. */
export const openCsv = async (file: string, options: CsvOptions, rules: ServiceRules): Promise<RecordFile> => {
  const headers = await headersOf(file);
  if (headers.size === 0) throw new UnreadableFile(`${file} is empty: no line names its fields`);
  const delimiter = delimiterOf(headers, options, rules);
  const layout = layoutOf(headers.get(delimiter) ?? [], delimiter, options, rules);
  if ('fault' in layout) throw new UnreadableFile(`${file}: ${layout.fault}`);
  const format = options.dateFormat;
  return { layout, notes: notesOn(layout, rules), lines: (onBlank) => readRecords(file, { layout, format, onBlank }) };
};
