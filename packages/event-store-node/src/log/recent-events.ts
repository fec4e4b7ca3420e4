export interface RecentEvent {
  readonly revision: number;
  readonly position: number;
}

/**
 * The ids of the latest events. They identify a repeated append that expects any revision. There are two generations of a fixed
 * size. The older one is dropped as a whole, so memory stays flat.
 */
export class RecentEvents {
  private young = new Map<string, RecentEvent>();
  private old = new Map<string, RecentEvent>();

  constructor(readonly generation = 25_000) {}

  remember(streamId: number, eventId: string, event: RecentEvent): void {
    this.put(`${streamId}:${eventId}`, event);
  }

  /** Adds all ids that the others hold. */
  adopt(others: RecentEvents): void {
    for (const [key, event] of others.young) this.put(key, event);
  }

  find(streamId: number, eventId: string): RecentEvent | undefined {
    const key = `${streamId}:${eventId}`;
    return this.young.get(key) ?? this.old.get(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }

  private put(key: string, event: RecentEvent): void {
    if (this.young.size >= this.generation) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, event);
  }
}
