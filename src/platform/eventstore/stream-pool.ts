/** Kept in memory; beyond it one that has nothing to do is forgotten for each that is made, longest unused first. */
const MAXIMUM = 10_000;

/** Those who work on many streams (writers, say), one for each stream that this process has touched. */
export class StreamPool<Key, Worker extends { readonly idle: boolean }> {
  private readonly workers = new Map<Key, Worker>();

  constructor(private readonly make: (key: Key) => Worker) {}

  of(key: Key): Worker {
    const worker = this.workers.get(key) ?? this.makeWorker(key);
    // A map keeps the order in which keys were set: the last used stands last.
    this.workers.delete(key);
    this.workers.set(key, worker);
    return worker;
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
