import { type Clock } from '../kernel/clock.js';

/** What a probe may take, milliseconds: less than a call to the store has, so that it fails first. */
export const probeBudgetOf = (callBudgetMs: number): number => (callBudgetMs * 2) / 3;

export interface HealthProbeOptions {
  readonly clock: Clock;
  /** Rejects, or takes too long, where the store is not there. */
  readonly probe: () => Promise<unknown>;
  /** When the store last answered anything, on Clock.monotonic: as good as a probe, and proof against one that was slow. */
  readonly lastReplyAt: () => number;
  /** Called once for every `renewAfter` probes that failed in a row. */
  readonly renew: () => void;
  readonly intervalMs?: number;
  readonly renewAfter?: number;
}

/**
 * Asks the store whether it is there every half second, unless it has answered something else for half that time: so a store that
 * falls silent under load is known to be away before the first call to it runs out of its budget, and no second call waits.
 */
export class HealthProbe {
  private failuresInRow = 0;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly intervalMs: number;
  private readonly renewAfter: number;

  constructor(private readonly options: HealthProbeOptions) {
    this.intervalMs = options.intervalMs ?? 500;
    this.renewAfter = options.renewAfter ?? 5;
    this.schedule();
  }

  get healthy(): boolean {
    return this.failuresInRow === 0;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(pauseMs = this.intervalMs): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.run(), pauseMs).unref();
  }

  private async run(): Promise<void> {
    const began = this.options.clock.monotonic();
    const dueIn = this.options.lastReplyAt() + this.intervalMs / 2 - began;
    if (this.healthy && dueIn > 0) {
      this.schedule(dueIn);
      return;
    }
    try {
      await this.options.probe();
      this.failuresInRow = 0;
    } catch {
      this.failed(began);
    }
    this.schedule();
  }

  private failed(began: number): void {
    if (this.options.lastReplyAt() > began) return;
    this.failuresInRow += 1;
    if (this.failuresInRow % this.renewAfter === 0) this.options.renew();
  }
}
