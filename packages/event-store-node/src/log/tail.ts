import { type Write } from './record.js';

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The newest part of the log in memory, for live subscriptions. Every reader has its own place in it and reads at its own pace.
 * A reader that falls behind the oldest write here reads from Postgres again. Readers therefore cost no memory.
 */
export class Tail {
  private writes: Write[] = [];
  private bytes = 0;
  private readonly waiting = new Set<() => void>();
  /** Positions up to and including this one are not held. */
  private before: number;
  private last: number;

  constructor(position: number) {
    this.before = position;
    this.last = position;
  }

  /** Position of the last committed event. */
  get position(): number {
    return this.last;
  }

  publish(writes: readonly Write[]): void {
    for (const write of writes) {
      this.writes.push(write);
      this.bytes += write.frames.length;
      this.last = write.position;
    }
    this.shrink();
    this.wake();
  }

  /** After a lost connection, writes committed meanwhile are in Postgres only. */
  restart(position: number): void {
    this.writes = [];
    this.bytes = 0;
    this.before = position;
    this.last = position;
    this.wake();
  }

  /** At most `limit` writes with events behind `position`. Undefined when they are no longer held here. */
  after(position: number, limit = 256): readonly Write[] | undefined {
    if (position < this.before) return undefined;
    let low = 0;
    let high = this.writes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.writes[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return this.writes.slice(low, low + limit);
  }

  /** Resolves when the log is longer than `position`, or at once when `signal` aborts. */
  async beyond(position: number, signal: AbortSignal): Promise<void> {
    if (this.last > position || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  private wake(): void {
    for (const resume of [...this.waiting]) resume();
  }

  private shrink(): void {
    if (this.bytes <= MAX_BYTES) return;
    let dropped = 0;
    while (this.bytes > MAX_BYTES / 2 && dropped < this.writes.length) {
      this.bytes -= this.writes[dropped]?.frames.length ?? 0;
      this.before = this.writes[dropped]?.position ?? this.before;
      dropped += 1;
    }
    this.writes = this.writes.slice(dropped);
  }
}
