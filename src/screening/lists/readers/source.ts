import { type Options, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';

/** One published file, gzipped. */
export interface SourceFile {
  /** As it was published, without folders. */
  readonly name: string;
  readonly gzipped: Uint8Array;
}

/** What was published is not a list: it never replaces one, whoever accepts it. */
export class NotAList extends Error {
  override readonly name = 'NotAList';
}

const MEBIBYTE = 1 << 20;
/** Bytes of text of one file. */
const LARGEST = 300 * MEBIBYTE;

/** The text of a file piece by piece, without its byte order mark. Throws NotAList beyond 300 MB. */
export async function* textOf({ name, gzipped }: SourceFile, largest = LARGEST): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let bytes = 0;
  for await (const chunk of Readable.from([gzipped]).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    if (bytes === 0 && chunk.subarray(0, 3).toString('hex') === 'efbbbf') chunk.fill(' ', 0, 3);
    bytes += chunk.length;
    if (bytes > largest) throw new NotAList(`${name} has more than ${Math.floor(largest / MEBIBYTE)} MB of text`);
    yield decoder.write(chunk);
  }
  if (bytes === 0) throw new NotAList(`${name} is empty`);
  yield decoder.end();
}

/** Its lines, without the empty ones. */
export async function* linesOf(file: SourceFile): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of textOf(file)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

/** Cells by row. A fault of the text ends the reading, as one of the table does. */
export const parsed = <Row>(text: AsyncIterable<string>, options: Options): AsyncIterable<Row> =>
  // Whoever reads the rows meets the error.
  pipeline(Readable.from(text), parse(options), () => undefined);

/** The first characters of a file, which show its format. */
export const beginningOf = async (file: SourceFile): Promise<string> => {
  let text = '';
  for await (const piece of textOf(file)) {
    text += piece;
    if (text.length > 1_000) break;
  }
  return text.trimStart();
};
