/** Kept in memory; beyond it one that has nothing to do is forgotten for each that is made, oldest first. */
const MAXIMUM = 10_000;

/** Those who work on many streams (writers, say), one for each stream that this process has touched. */
export class StreamPool<Key, Worker extends { readonly idle: boolean }> {
  private readonly workers = new Map<Key, Worker>();

  constructor(private readonly make: (key: Key) => Worker) {}

  of(key: Key): Worker {
    const known = this.workers.get(key);
    if (known !== undefined) return known;
    this.forgetIdle();
    const worker = this.make(key);
    this.workers.set(key, worker);
    return worker;
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
