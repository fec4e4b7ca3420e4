/** Limit of workers in memory. Beyond it each new one replaces an idle one, least recently used first. */
const MAXIMUM = 10_000;

/** Workers on many streams (for example writers), one for each stream that this process has used. */
export class StreamPool<Key, Worker extends { readonly idle: boolean }> {
  private readonly workers = new Map<Key, Worker>();

  constructor(private readonly make: (key: Key) => Worker) {}

  of(key: Key): Worker {
    const worker = this.workers.get(key) ?? this.makeWorker(key);
    // A map keeps the order of insertion, so the last used worker stands last.
    this.workers.delete(key);
    this.workers.set(key, worker);
    return worker;
  }

  /** All that are in memory, in no order that means something. */
  get all(): Iterable<Worker> {
    return this.workers.values();
  }

  private makeWorker(key: Key): Worker {
    this.forgetIdle();
    return this.make(key);
  }

  private forgetIdle(): void {
    if (this.workers.size < MAXIMUM) return;
    for (const [key, worker] of this.workers) {
      if (!worker.idle) continue;
      this.workers.delete(key);
      return;
    }
  }
}
