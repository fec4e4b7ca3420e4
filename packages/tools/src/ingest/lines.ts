import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';

/** Why a line, or the record on it, cannot be loaded. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
}

export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Bytes of the file up to the line's end. */
  readonly end: number;
  /** Where the line is at fault: byte for byte as Latin-1, and no more than its beginning. */
  readonly text: string;
  readonly fault?: Fault;
}

/** Bytes: what the service's limit of 1 MiB a body leaves for a single record. */
export const MAX_RECORD = 1_048_576 - 64;
export const TOO_LARGE: Fault = {
  code: 'PAYLOAD_TOO_LARGE',
  detail: 'The record is larger than a request may be, which is 1 MiB',
};
/** Characters of a line at fault that are shown. */
const BEGINNING = 2_000;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** How the bytes of a file represent characters. */
interface Encoding {
  readonly name: string;
  /** Bytes. */
  readonly unit: 1 | 2;
  readonly decoder: TextDecoder;
  readonly unitAt: (bytes: Buffer, at: number) => number | undefined;
}

const encoding = (name: string, unit: 1 | 2, unitAt: Encoding['unitAt']): Encoding => ({
  ...{ name, unit, unitAt },
  decoder: new TextDecoder(name, { fatal: true }),
});

const UTF_8 = encoding('UTF-8', 1, (bytes, at) => bytes[at]);
const MARKED: readonly (readonly [number, Encoding])[] = [
  [0xff_fe, encoding('UTF-16LE', 2, (bytes, at) => bytes.readUInt16LE(at))],
  [0xfe_ff, encoding('UTF-16BE', 2, (bytes, at) => bytes.readUInt16BE(at))],
];

/** UTF-16 begins with a byte order mark, as spreadsheet programs write it; all else is UTF-8. */
const encodingOf = (beginning: Buffer): Encoding =>
  MARKED.find(([mark]) => beginning.length > 1 && beginning.readUInt16BE(0) === mark)?.[1] ?? UTF_8;

/** Gathers the bytes of one line after the other; of one that is too large it holds only the beginning. */
class LineGatherer {
  private number = 0;
  private end = 0;
  private size = 0;
  private held: Buffer[] = [];
  /** Bytes: characters of UTF-16 have two for one of UTF-8. */
  private readonly largest: number;

  constructor(private readonly encoding: Encoding) {
    this.largest = MAX_RECORD * encoding.unit;
  }

  hold(bytes: Buffer): void {
    if (this.size <= this.largest) this.held.push(bytes.subarray(0, this.largest + 1 - this.size));
    this.size += bytes.length;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** A line feed that belongs to the carriage return before it. */
  pass(): void {
    this.end += this.encoding.unit;
  }

  line(): TextLine {
    const bytes = Buffer.concat(this.held);
    const begin = this.end;
    this.number += 1;
    this.end += this.size + this.encoding.unit;
    const tooLarge = this.size > this.largest;
    this.held = [];
    this.size = 0;
    const { number, end } = this;
    const text = tooLarge ? undefined : this.decode(bytes);
    if (text !== undefined) return { number, end, text };
    const { name } = this.encoding;
    const undecoded = { code: 'UNREADABLE', detail: `The line, which begins at byte ${begin}, is not ${name}` };
    const beginning = bytes.subarray(0, BEGINNING).toString('latin1');
    return { number, end, text: beginning, fault: tooLarge ? TOO_LARGE : undecoded };
  }

  private decode(bytes: Buffer): string | undefined {
    try {
      return this.encoding.decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }
}

/** Chunks of a file that part no character's unit, with how they are encoded. */
async function* readUnits(file: string): AsyncIterable<{ readonly units: Buffer; readonly encoding: Encoding }> {
  let encoding: Encoding | undefined;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    encoding ??= encodingOf(chunk);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % encoding.unit);
    rest = Buffer.from(bytes.subarray(whole));
    yield { units: bytes.subarray(0, whole), encoding };
  }
}

/** The lines of a text, whatever stands on them: a line feed, a carriage return or both end one. */
export async function* readLines(file: string): AsyncIterable<TextLine> {
  let gatherer: LineGatherer | undefined;
  let returned = false;
  for await (const { units, encoding } of readUnits(file)) {
    gatherer ??= new LineGatherer(encoding);
    const { unit, unitAt } = encoding;
    let from = 0;
    for (let at = 0; at < units.length; at += unit) {
      const character = unitAt(units, at);
      if (character === LINE_FEED && returned) {
        gatherer.pass();
        from = at + unit;
      } else if (character === LINE_FEED || character === CARRIAGE_RETURN) {
        gatherer.hold(units.subarray(from, at));
        yield gatherer.line();
        from = at + unit;
      }
      returned = character === CARRIAGE_RETURN;
    }
    gatherer.hold(units.subarray(from));
  }
  if (gatherer?.isEmpty === false) yield gatherer.line();
}
