const FIRST_CAPACITY = 65_536;

/** Milliseconds. Every value is kept. */
export class Latencies {
  private values = new Float64Array(FIRST_CAPACITY);
  private size = 0;

  get count(): number {
    return this.size;
  }

  record(milliseconds: number): void {
    if (this.size === this.values.length) {
      const grown = new Float64Array(this.size * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.size] = milliseconds;
    this.size += 1;
  }

  /** The smallest values that at least these shares (0 to 1) of all values do not exceed. */
  quantiles(...shares: readonly number[]): number[] {
    const sorted = this.values.slice(0, this.size).sort();
    return shares.map((share) => sorted[Math.max(0, Math.ceil(share * this.size) - 1)] ?? 0);
  }
}
