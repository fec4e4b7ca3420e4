import { GrpcError, Status } from './status.js';

const HEADER = 5;
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;

/** Cuts a byte stream into gRPC messages. A message inside one chunk is not copied. */
export class Deframer {
  private chunks: Buffer[] = [];
  private buffered = 0;

  constructor(private readonly onMessage: (message: Buffer) => void) {}

  /** Part of a message has arrived. */
  get unfinished(): boolean {
    return this.buffered > 0;
  }

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    while (this.buffered >= HEADER) {
      const head = this.join(HEADER);
      if (head[0] !== 0) throw new GrpcError(Status.unimplemented, 'compressed messages are not supported');
      const length = head.readUInt32BE(1);
      if (length > MAX_MESSAGE_BYTES)
        throw new GrpcError(Status.invalidArgument, `a message of ${length} bytes is too large`);
      if (this.buffered < HEADER + length) return;
      const whole = this.join(HEADER + length);
      this.drop(HEADER + length);
      this.onMessage(whole.subarray(HEADER, HEADER + length));
    }
  }

  /** Returns the first chunk, extended to at least `bytes` long. */
  private join(bytes: number): Buffer {
    const first = this.chunks[0];
    if (first !== undefined && first.length >= bytes) return first;
    const joined = Buffer.concat(this.chunks);
    this.chunks = [joined];
    return joined;
  }

  private drop(bytes: number): void {
    this.buffered -= bytes;
    const [first, ...rest] = this.chunks;
    if (first === undefined) return;
    this.chunks = first.length === bytes ? rest : [first.subarray(bytes), ...rest];
  }
}
