/** The little of protobuf's wire format that the append path needs (protobuf.dev/programming-guides/encoding). */

export const sizeOfVarint = (value: number): number => {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
};

const MAX_INLINE = 0x7f;

/** Writes into one buffer of a size known beforehand. */
export class WireWriter {
  private at = 0;

  constructor(readonly buffer: Buffer) {}

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

  /** A field's key and the length of what follows. */
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
  /** Wire type 0. */
  readonly value: bigint;
  /** Wire type 2. */
  readonly bytes: Buffer;
}

const NO_BYTES = Buffer.alloc(0);

class WireReader {
  private at = 0;

  constructor(private readonly buffer: Buffer) {}

  get done(): boolean {
    return this.at >= this.buffer.length;
  }

  private byte(): number {
    const byte = this.buffer[this.at++];
    if (byte === undefined) throw new RangeError('a protobuf message ended early');
    return byte;
  }

  varint64(): bigint {
    let low = 0;
    let weight = 1;
    for (let index = 0; index < 7; index += 1) {
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

  take(length: number): Buffer {
    const from = this.at;
    this.at += length;
    if (this.at > this.buffer.length) throw new RangeError('a protobuf message ended early');
    return this.buffer.subarray(from, this.at);
  }
}

/** The fields of a message, in the order in which they stand. */
export function* wireFields(buffer: Buffer): Generator<WireField> {
  const reader = new WireReader(buffer);
  while (!reader.done) {
    const key = Number(reader.varint64());
    const number = key >>> 3;
    switch (key & 7) {
      case 0:
        yield { number, value: reader.varint64(), bytes: NO_BYTES };
        break;
      case 1:
        yield { number, value: 0n, bytes: reader.take(8) };
        break;
      case 2:
        yield { number, value: 0n, bytes: reader.take(Number(reader.varint64())) };
        break;
      case 5:
        yield { number, value: 0n, bytes: reader.take(4) };
        break;
      default:
        throw new RangeError(`unknown protobuf wire type ${key & 7}`);
    }
  }
}
