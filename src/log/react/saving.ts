import { type Progress } from './progress.js';

/** Saves the place of a reactor at intervals. */
export class Saving {
  private timer: NodeJS.Timeout | undefined;
  /** On the monotonic clock. */
  private dueAt = Infinity;
  private saved: bigint | undefined;
  private stopped = false;
  private fault: { readonly error: unknown } | undefined;

  constructor(
    readonly progress: Progress,
    private readonly save: (position: bigint) => Promise<void>,
  ) {
    this.saved = progress.reached;
  }

  get hasFailed(): boolean {
    return this.fault !== undefined;
  }

  readonly fail = (error: unknown): void => {
    this.fault ??= { error };
    this.progress.release();
  };

  throwFault(): void {
    if (this.fault !== undefined) throw this.fault.error;
  }

  within(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds;
    if (this.stopped || this.progress.reached === this.saved || this.dueAt <= dueAt) return;
    this.dueAt = dueAt;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.dueAt = Infinity;
      this.now().catch(this.fail);
    }, milliseconds).unref();
  }

  async now(): Promise<void> {
    const { reached } = this.progress;
    if (reached === undefined || reached === this.saved) return;
    await this.save(reached);
    this.saved = reached;
  }

  /** Nothing is saved from then on: another run goes on from what was. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}
