import { createReadStream } from 'node:fs';

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
export const LARGEST_RECORD = 1_048_576 - 64;
export const TOO_LARGE: Fault = {
  code: 'PAYLOAD_TOO_LARGE',
  detail: 'The record is larger than a request may be, which is 1 MiB',
};
/** Characters of a line at fault that are shown. */
const BEGINNING = 2_000;

const LINE_FEED = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true });

const decode = (bytes: Buffer): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Gathers the bytes of one line after the other; of one that is too large it holds only the beginning. */
class LineGatherer {
  private number = 0;
  private end = 0;
  private size = 0;
  private held: Buffer[] = [];

  hold(bytes: Buffer): void {
    if (this.size <= LARGEST_RECORD) this.held.push(bytes.subarray(0, LARGEST_RECORD + 1 - this.size));
    this.size += bytes.length;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  line(): TextLine {
    const bytes = Buffer.concat(this.held);
    const begin = this.end;
    this.number += 1;
    this.end += this.size + 1;
    const tooLarge = this.size > LARGEST_RECORD;
    this.held = [];
    this.size = 0;
    const { number, end } = this;
    const text = tooLarge ? undefined : decode(bytes);
    if (text !== undefined) return { number, end, text };
    const notUtf8 = { code: 'UNREADABLE', detail: `The line, which begins at byte ${begin}, is not UTF-8` };
    const beginning = bytes.subarray(0, BEGINNING).toString('latin1');
    return { number, end, text: beginning, fault: tooLarge ? TOO_LARGE : notUtf8 };
  }
}

/** The lines of a text in UTF-8, whatever stands on them; only a line feed ends one. */
export async function* readLines(file: string): AsyncIterable<TextLine> {
  const gatherer = new LineGatherer();
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      gatherer.hold(chunk.subarray(from, at));
      yield gatherer.line();
      from = at + 1;
    }
    gatherer.hold(chunk.subarray(from));
  }
  if (!gatherer.isEmpty) yield gatherer.line();
}
