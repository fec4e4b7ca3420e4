import { parse } from 'csv-parse/sync';
import { type Fault, MAX_RECORD, readLines, type TextLine } from './lines.js';

/** A row of cells, or why its lines are none. */
export type Row = Pick<TextLine, 'number' | 'end' | 'text'> &
  ({ readonly cells: readonly string[] } | { readonly fault: Fault });

/** Lines that can be looked at before they are taken. */
class Lookahead {
  private readonly lines: AsyncIterator<TextLine>;
  private readonly held: TextLine[] = [];

  constructor(lines: AsyncIterable<TextLine>) {
    this.lines = lines[Symbol.asyncIterator]();
  }

  async at(index: number): Promise<TextLine | undefined> {
    while (this.held.length <= index) {
      const next = await this.lines.next();
      if (next.done === true) return undefined;
      this.held.push(next.value);
    }
    return this.held[index];
  }

  take(count: number): void {
    this.held.splice(0, count);
  }
}

const parseRow = (text: string, delimiter: string): readonly string[] | undefined => {
  try {
    const rows = parse(text, { trim: true, relax_column_count: true, record_delimiter: '\n', delimiter });
    return rows.length === 1 ? rows[0] : undefined;
  } catch {
    return undefined;
  }
};

const unreadable = (detail: string): Fault => ({ code: 'UNREADABLE', detail });
const MISPLACED = unreadable('A quotation mark is misplaced: it opens or closes a cell, and is doubled within one');
const UNCLOSED = unreadable('A cell is opened by a quotation mark, and none closes it');

const hasOddQuotes = (text: string): boolean => text.split('"').length % 2 === 0;

/**
 * The row that begins on the first line ahead, and over how many lines it goes. csv-parse's skip_records_with_error does
 * not serve here: from a stray quotation mark on it loses every line up to the next mark, or the rest of the file.
 */
const rowAhead = async (lines: Lookahead, first: TextLine, delimiter: string): Promise<{ row: Row; count: number }> => {
  const { number, text: start } = first;
  // Only the first line is given up, so that one stray quotation mark does not take the lines after it along.
  const broken = (fault: Fault) => ({ row: { number, end: first.end, text: start, fault }, count: 1 });
  let text = '';
  let open = false;
  for (let count = 1; ; count += 1) {
    const line = await lines.at(count - 1);
    if (line === undefined || text.length > MAX_RECORD) return broken(UNCLOSED);
    if (line.fault !== undefined) return broken(count === 1 ? line.fault : UNCLOSED);
    text += count === 1 ? line.text : `\n${line.text}`;
    open = open !== hasOddQuotes(line.text);
    if (open) continue;
    const cells = parseRow(text, delimiter);
    return cells === undefined ? broken(MISPLACED) : { row: { number, end: line.end, text, cells }, count };
  }
};

/** Excel's first line, which names the delimiter. */
const NAMED = /^sep=(.)$/i;

export const namedDelimiter = async (file: string): Promise<string | undefined> => {
  for await (const { text } of readLines(file)) return NAMED.exec(text)?.[1];
  return undefined;
};

/** The rows of a CSV file; empty lines and Excel's first line are none. A row at fault costs no other. */
export async function* readRows(file: string, delimiter: string): AsyncIterable<Row> {
  const lines = new Lookahead(readLines(file));
  if (NAMED.test((await lines.at(0))?.text ?? '')) lines.take(1);
  for (let first = await lines.at(0); first !== undefined; first = await lines.at(0)) {
    const { row, count } = await rowAhead(lines, first, delimiter);
    lines.take(count);
    if (row.text.trim() !== '') yield row;
  }
}
