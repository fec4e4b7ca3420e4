/** Tries each of several pieces of work, even if others fail. */
export class Attempts {
  private readonly faults: unknown[] = [];

  async make(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (fault) {
      this.faults.push(fault);
    }
  }

  /** Throws the first fault, if there was one. */
  end(): void {
    if (this.faults.length > 0) throw this.faults[0];
  }
}
