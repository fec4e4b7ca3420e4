/** Writers kept in memory; beyond it one that has nothing to do is forgotten for each that is made, oldest first. */
const MAXIMUM_WRITERS = 10_000;

/** The writers of many streams, one for each stream that this process has touched. */
export class WriterPool<Key, Writer extends { readonly idle: boolean }> {
  private readonly writers = new Map<Key, Writer>();

  constructor(private readonly make: (key: Key) => Writer) {}

  of(key: Key): Writer {
    const known = this.writers.get(key);
    if (known !== undefined) return known;
    this.forgetIdle();
    const writer = this.make(key);
    this.writers.set(key, writer);
    return writer;
  }

  private forgetIdle(): void {
    if (this.writers.size < MAXIMUM_WRITERS) return;
    for (const [key, writer] of this.writers) {
      if (!writer.idle) continue;
      this.writers.delete(key);
      return;
    }
  }
}
