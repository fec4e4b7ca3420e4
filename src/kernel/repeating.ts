/** Work that is done again and again with a pause in between; a round that fails is reported and the next one goes on. */
export class Repeating {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();

  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
  ) {}

  start(onFault: (error: unknown) => void): void {
    this.timer = setTimeout(() => {
      this.round = this.work()
        .catch(onFault)
        .finally(() => {
          if (this.timer !== undefined) this.start(onFault);
        });
    }, this.pauseMs);
  }

  /** Waits for the round under way. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.round;
  }
}
