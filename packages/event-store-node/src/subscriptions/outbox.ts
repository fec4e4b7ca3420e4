import { type Call } from '../grpc/call.js';

const CHUNK_BYTES = 64 * 1024;

/** Gathers frames into large writes, and waits while the client does not take them. */
export class Outbox {
  private frames: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly call: Call) {}

  async add(frames: Buffer): Promise<void> {
    if (frames.length === 0) return;
    this.frames.push(frames);
    this.bytes += frames.length;
    if (this.bytes >= CHUNK_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.bytes === 0) return;
    const whole = Buffer.concat(this.frames);
    this.frames = [];
    this.bytes = 0;
    await this.call.sendAndDrain(whole);
  }
}
