/** The part of protobuf's wire format that appends and reads need (protobuf.dev/programming-guides/encoding). */

export const sizeOfVarint = (value: number): number => {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
};

const MAX_INLINE = 0x7f;

/** Writes into one buffer whose size is known beforehand. */
export class WireWriter {
  private at = 0;

  constructor(readonly buffer: Buffer) {}

  get length(): number {
    return this.at;
  }

  varint(value: number): this {
    let rest = value;
    while (rest > MAX_INLINE) {
      this.buffer[this.at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.at++] = rest;
    return this;
  }

  varint64(value: bigint): this {
    let rest = value;
    while (rest > 127n) {
      this.buffer[this.at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.buffer[this.at++] = Number(rest);
    return this;
  }

  /** A field's key, followed by the length of its content. */
  header(field: number, length: number): this {
    return this.varint(field * 8 + 2).varint(length);
  }

  text(value: string, encoding: 'utf8' | 'latin1' = 'utf8'): this {
    this.at += this.buffer.write(value, this.at, encoding);
    return this;
  }

  bytes(value: Buffer): this {
    this.at += value.copy(this.buffer, this.at);
    return this;
  }
}

export interface WireField {
  readonly number: number;
  /** Set for wire type 0. */
  readonly value: bigint;
  /** Set for wire type 2. */
  readonly bytes: Buffer;
}

const NO_BYTES = Buffer.alloc(0);

const endedEarly = (): RangeError => new RangeError('a protobuf message ended early');

/** Reads a message at `at`. A tag is a field's number × 8 + its wire type. */
export class WireCursor {
  at = 0;

  constructor(private readonly buffer: Buffer) {}

  /** Reads a tag or a length; exact up to 2^53. */
  varint(): number {
    const first = this.byte();
    return first < 128 ? first : Number(this.rest64(first));
  }

  varint64(): bigint {
    return this.rest64(this.byte());
  }

  /** Reads a length and returns the end of its content. */
  length(): number {
    const length = this.varint();
    if (this.at + length > this.buffer.length) throw endedEarly();
    return this.at + length;
  }

  /** A length, followed by that much text. */
  text(): string {
    return this.textUntil(this.length());
  }

  textUntil(end: number): string {
    const text = this.buffer.toString('utf8', this.at, end);
    this.at = end;
    return text;
  }

  /** A copy that does not keep the message in memory. */
  copyUntil(end: number): Uint8Array {
    return new Uint8Array(this.takeUntil(end));
  }

  takeUntil(end: number): Buffer {
    if (end > this.buffer.length) throw endedEarly();
    const bytes = this.buffer.subarray(this.at, end);
    this.at = end;
    return bytes;
  }

  /** Skips the value of an unknown field. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.varint64();
        break;
      case 1:
        this.takeUntil(this.at + 8);
        break;
      case 2:
        this.at = this.length();
        break;
      case 5:
        this.takeUntil(this.at + 4);
        break;
      default:
        throw new RangeError(`unknown protobuf wire type ${tag & 7}`);
    }
  }

  private byte(): number {
    const byte = this.buffer[this.at++];
    if (byte === undefined) throw endedEarly();
    return byte;
  }

  private rest64(first: number): bigint {
    let low = first & 0x7f;
    if (first < 128) return BigInt(low);
    let weight = 128;
    for (let index = 1; index < 7; index += 1) {
      const byte = this.byte();
      low += (byte & 0x7f) * weight;
      if (byte < 128) return BigInt(low);
      weight *= 128;
    }
    let value = BigInt(low);
    for (let shift = 49n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
  }
}

/** The fields of a message, in their order. */
export function* wireFields(buffer: Buffer): Generator<WireField> {
  const cursor = new WireCursor(buffer);
  while (cursor.at < buffer.length) {
    const tag = cursor.varint();
    const number = tag >>> 3;
    if ((tag & 7) === 0) yield { number, value: cursor.varint64(), bytes: NO_BYTES };
    else if ((tag & 7) === 2) yield { number, value: 0n, bytes: cursor.takeUntil(cursor.length()) };
    else {
      cursor.skip(tag);
      yield { number, value: 0n, bytes: NO_BYTES };
    }
  }
}
