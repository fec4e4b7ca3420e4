/** Runs work under one key in order of arrival, one at a time. Work under different keys runs concurrently. */
export class KeyedMutex {
  /** By key, the end of the last work in line. */
  private readonly ends = new Map<string, Promise<void>>();

  take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const earlier = this.ends.get(key);
    const turn = earlier === undefined ? work() : earlier.then(work);
    const end = turn.then(
      () => undefined,
      () => undefined,
    );
    this.ends.set(key, end);
    void end.then(() => this.ends.get(key) === end && this.ends.delete(key));
    return turn;
  }
}
