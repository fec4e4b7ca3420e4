/** Bounded in number (the least recently used goes first) and in age, on a monotonic clock in milliseconds. */
export class ExpiringCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly addedAt: number }>();

  constructor(
    private readonly maxEntries: number,
    private readonly maxAge: number,
    private readonly monotonic: () => number,
    private readonly onRemoved: (value: Value) => void = () => undefined,
  ) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (this.monotonic() - entry.addedAt > this.maxAge) {
      this.remove(key);
      return undefined;
    }
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value): void {
    this.remove(key);
    this.entries.set(key, { value, addedAt: this.monotonic() });
    if (this.entries.size > this.maxEntries) {
      const [oldest] = this.entries.keys();
      if (oldest !== undefined) this.remove(oldest);
    }
  }

  remove(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.onRemoved(entry.value);
  }

  /** Removes what is too old, so that nothing outlives its age for want of being asked for. */
  sweep(): void {
    const now = this.monotonic();
    for (const [key, entry] of this.entries) if (now - entry.addedAt > this.maxAge) this.remove(key);
  }

  get size(): number {
    return this.entries.size;
  }
}
