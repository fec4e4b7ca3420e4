/**
 * A map with a draft on top. Decisions are tried on the draft and then dropped, without a copy of the whole map. The base must
 * not change while a draft of it is in use.
 */
export class OverlayMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  private readonly removed = new Set<Key>();

  constructor(private readonly base?: OverlayMap<Key, Value>) {}

  get(key: Key): Value | undefined {
    const own = this.entries.get(key);
    if (own !== undefined || this.base === undefined || this.removed.has(key)) return own;
    return this.base.get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    this.removed.delete(key);
    this.entries.set(key, value);
  }

  delete(key: Key): void {
    this.entries.delete(key);
    if (this.base !== undefined) this.removed.add(key);
  }

  *[Symbol.iterator](): IterableIterator<[Key, Value]> {
    yield* this.entries;
    if (this.base === undefined) return;
    for (const [key, value] of this.base) {
      if (!this.removed.has(key) && !this.entries.has(key)) yield [key, value];
    }
  }

  draft(): OverlayMap<Key, Value> {
    return new OverlayMap(this);
  }
}
