import { type Line } from './record-file.js';

/** Lines that go to the service together. */
export interface Batch {
  /** How many lines with content come before it in the file. */
  readonly start: number;
  readonly lines: readonly Line[];
}

const MAX_RECORDS = 500;
/** Well below the body limit of 1 MiB. */
const MAX_BYTES = 600_000;

/** The same file always falls into the same batches, so that a resumed load repeats none under another key. */
export async function* inBatches(lines: AsyncIterable<Line>): AsyncIterable<Batch> {
  let start = 0;
  let held: Line[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const size = Buffer.byteLength(line.record ?? '') + 1;
    if (held.length === MAX_RECORDS || (held.length > 0 && bytes + size > MAX_BYTES)) {
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

/** The lines of a batch from one to another, both counted as its start is. */
export const part = ({ start, lines }: Batch, from: number, to: number): Batch => ({
  start: from,
  lines: lines.slice(from - start, to - start),
});
