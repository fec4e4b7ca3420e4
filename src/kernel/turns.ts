/** Work on the same thing takes turns, in the order in which it came; on different things it goes on at once. */
export class Turns {
  /** The end of the last of each line. */
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
