/** Remembers the events that were handled, in memory: the last 10,000, or as many as are asked for. */
export class OnceEach {
  private readonly handled = new Map<string, Promise<void>>();

  constructor(private readonly most = 10_000) {}

  /**
   * Does the work for the first delivery of an event. A duplicate waits for it and ends as it ends. Work that failed is
   * forgotten, so the next delivery does it again. Returns whether this delivery was the first.
   */
  async run(eventId: string, work: () => Promise<void>): Promise<boolean> {
    const earlier = this.handled.get(eventId);
    if (earlier !== undefined) {
      await earlier;
      return false;
    }
    const running = work();
    this.handled.set(eventId, running);
    try {
      await running;
    } catch (error) {
      this.handled.delete(eventId);
      throw error;
    }
    this.forgetOldest();
    return true;
  }

  private forgetOldest(): void {
    for (const eventId of this.handled.keys()) {
      if (this.handled.size <= this.most) return;
      this.handled.delete(eventId);
    }
  }
}
