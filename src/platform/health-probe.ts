import { type Clock } from '../kernel/clock.js';

/** Budget of a probe, in milliseconds. It is shorter than that of a store call, so that the probe fails first. */
export const probeBudgetOf = (callBudgetMs: number): number => (callBudgetMs * 2) / 3;

export interface HealthProbeOptions {
  readonly clock: Clock;
  /** Rejects, or exceeds its budget, if the store is unavailable. */
  readonly probe: () => Promise<unknown>;
  /**
   * When the store last answered anything, on Clock.monotonic. Such an answer counts as a probe, and overrides a slow
   * probe that failed.
   */
  readonly lastReplyAt: () => number;
  /** Called after every `renewAfter` probes that failed in a row. */
  readonly renew: () => void;
  readonly intervalMs?: number;
  readonly renewAfter?: number;
}

/**
 * Probes the store every half second, unless it has answered a call within half that time. A store that falls silent
 * under load is thus detected before the first call runs out of budget. Later calls then fail at once.
 */
export class HealthProbe {
  private failuresInRow = 0;
  private failedAt = 0;
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
    return this.failuresInRow === 0 || this.options.lastReplyAt() > this.failedAt;
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
    if (this.healthy) this.failuresInRow = 0;
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
    this.failedAt = this.options.clock.monotonic();
    if (this.failuresInRow % this.renewAfter === 0) this.options.renew();
  }
}
