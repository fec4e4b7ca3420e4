/** The positions that this process has committed as leader, for callers in this process that wait for them. */
export class CheckpointNotifier {
  private readonly positions = new Map<string, bigint>();
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly gathering = new Map<string, () => void>();

  position(projection: string): bigint | undefined {
    return this.positions.get(projection);
  }

  /** Call this only after the commit. */
  committed(projection: string, position: bigint): void {
    this.positions.set(projection, position);
    const waiting = this.waiting.get(projection);
    this.waiting.delete(projection);
    for (const wake of waiting ?? []) wake();
  }

  /** Forgets a position after a change of leader or a restored log. Waiting callers then ask Postgres. */
  forget(projection: string): void {
    this.positions.delete(projection);
  }

  /** Resolves at the next commit, or after `patienceMs`. */
  nextCommit(projection: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.waiting.get(projection) ?? new Set();
      this.waiting.set(projection, waiting);
      const wake = (): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      waiting.add(wake);
      this.gathering.get(projection)?.();
    });
  }

  /** Whether a caller waits for a commit of one of these projections. */
  isWanted(projections: readonly string[]): boolean {
    return projections.some((projection) => (this.waiting.get(projection)?.size ?? 0) > 0);
  }

  /** Resolves once a caller waits for a commit of one of these projections. Only the last such call per projection counts. */
  wanted(projections: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      if (this.isWanted(projections)) resolve();
      for (const projection of projections) this.gathering.set(projection, resolve);
    });
  }
}
