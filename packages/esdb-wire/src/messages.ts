/** Protocol buffers by hand, only as far as the frequent messages need them. Numbers are exact up to 2^53. */

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/** Malformed bytes from a client. The response is INVALID_ARGUMENT. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

export class MessageReader {
  position: number;

  constructor(
    readonly buffer: Buffer,
    start = 0,
    readonly end = buffer.length,
  ) {
    this.position = start;
  }

  /** The next field's tag (field number × 8 + wire type), or 0 at the end. */
  tag(): number {
    return this.position < this.end ? this.varint() : 0;
  }

  byte(): number {
    const byte = this.position < this.end ? this.buffer[this.position++] : undefined;
    if (byte === undefined) throw new MalformedMessage('a number runs past the end of the message');
    return byte;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new MalformedMessage('a number is longer than 64 bits');
  }

  bytes(): Buffer {
    const length = this.varint();
    const start = this.position;
    if (start + length > this.end) throw new MalformedMessage('a field runs past the end of the message');
    this.position = start + length;
    return this.buffer.subarray(start, this.position);
  }

  string(): string {
    const length = this.varint();
    const start = this.position;
    if (start + length > this.end) throw new MalformedMessage('a field runs past the end of the message');
    this.position = start + length;
    return this.buffer.toString('utf8', start, this.position);
  }

  message(): MessageReader {
    const length = this.varint();
    const start = this.position;
    if (start + length > this.end) throw new MalformedMessage('a message runs past the end of its parent');
    this.position = start + length;
    return new MessageReader(this.buffer, start, this.position);
  }

  skip(tag: number): void {
    const wireType = tag & 7;
    if (wireType === VARINT) this.varint();
    else if (wireType === BYTES) this.bytes();
    else if (wireType === FIXED64) this.position += 8;
    else if (wireType === FIXED32) this.position += 4;
    else throw new MalformedMessage(`wire type ${wireType} is unknown`);
  }
}

/** Grows as needed and is reused for the next message, so encoding allocates only the result. */
export class MessageWriter {
  private buffer: Buffer;
  private length = 0;

  constructor(size = 4096) {
    this.buffer = Buffer.allocUnsafeSlow(size);
  }

  get size(): number {
    return this.length;
  }

  clear(): void {
    this.length = 0;
    if (this.buffer.length > 4 * 1024 * 1024) this.buffer = Buffer.allocUnsafeSlow(4096);
  }

  /** A copy of the bytes written since `start`. */
  copy(start = 0): Buffer {
    return Buffer.from(this.buffer.subarray(start, this.length));
  }

  /** Takes field numbers up to 15 only, since their tags take one byte. */
  uint(field: number, value: number): void {
    this.reserve(11);
    this.buffer[this.length++] = (field << 3) | VARINT;
    this.varint(value);
  }

  bigUint(field: number, value: bigint): void {
    this.reserve(11);
    this.buffer[this.length++] = (field << 3) | VARINT;
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.buffer[this.length++] = Number(rest & 0x7fn) | 0x80;
    this.buffer[this.length++] = Number(rest);
  }

  string(field: number, value: string): void {
    const length = Buffer.byteLength(value);
    this.reserve(length + 6);
    this.buffer[this.length++] = (field << 3) | BYTES;
    this.varint(length);
    this.length += this.buffer.write(value, this.length);
  }

  bytes(field: number, value: Buffer): void {
    this.reserve(value.length + 6);
    this.buffer[this.length++] = (field << 3) | BYTES;
    this.varint(value.length);
    this.raw(value);
  }

  empty(field: number): void {
    this.reserve(2);
    this.buffer[this.length++] = (field << 3) | BYTES;
    this.buffer[this.length++] = 0;
  }

  raw(value: Buffer): void {
    this.reserve(value.length);
    this.length += value.copy(this.buffer, this.length);
  }

  /** Opens a nested message. The bytes up to `close` with the returned mark are its content. */
  open(field: number): number {
    this.reserve(2);
    this.buffer[this.length++] = (field << 3) | BYTES;
    this.length += 1;
    return this.length;
  }

  close(mark: number): void {
    const length = this.length - mark;
    if (length < 128) {
      this.buffer[mark - 1] = length;
      return;
    }
    const extra = length < 16_384 ? 1 : length < 2_097_152 ? 2 : length < 268_435_456 ? 3 : 4;
    this.reserve(extra);
    this.buffer.copyWithin(mark + extra, mark, this.length);
    const end = this.length + extra;
    this.length = mark - 1;
    this.varint(length);
    this.length = end;
  }

  /** Opens a gRPC frame: a compression flag of zero and the length in front of the message. */
  openFrame(): number {
    this.reserve(5);
    this.length += 5;
    return this.length;
  }

  closeFrame(mark: number): void {
    this.buffer[mark - 5] = 0;
    this.buffer.writeUInt32BE(this.length - mark, mark - 4);
  }

  private varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.length++] = rest;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.length + bytes));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}

/** One message as a gRPC frame. */
export function frame(write: (writer: MessageWriter) => void): Buffer {
  const writer = new MessageWriter(256);
  const mark = writer.openFrame();
  write(writer);
  writer.closeFrame(mark);
  return writer.copy();
}
