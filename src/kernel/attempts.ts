/** Pieces of work of which each is tried, whatever becomes of the others. */
export class Attempts {
  private readonly faults: unknown[] = [];

  async make(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (fault) {
      this.faults.push(fault);
    }
  }

  /** Throws the first fault, where there was one. */
  end(): void {
    if (this.faults.length > 0) throw this.faults[0];
  }
}
