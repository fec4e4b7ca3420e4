import { randomInt } from 'node:crypto';
import { completesWithin } from '../../kernel/completes-within.js';

const JITTER = 0.1;
const FINENESS = 1_000_000;
/** Milliseconds that a round has to end when the process stops. */
const GRACE_MS = 5_000;

export interface PeriodicWorkOptions {
  readonly everyMs: number;
  readonly round: (signal: AbortSignal) => Promise<void> | void;
  /** Whether this instance is the one to do it. */
  readonly isOurs: () => boolean;
  readonly onSuccess: () => void;
  readonly onFault: (error: unknown) => void;
}

/** One piece of work, repeated with a pause in between. */
export class PeriodicWork {
  private readonly stopping = new AbortController();
  /** Of the round under way. */
  private ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();

  constructor(private readonly options: PeriodicWorkOptions) {}

  start(): void {
    this.schedule();
  }

  /** Waits at most 5 s for the round under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.cutShort();
    clearTimeout(this.timer);
    await completesWithin(GRACE_MS, this.round);
  }

  /** The round under way begins nothing more. The next comes as ever. */
  cutShort(): void {
    this.ending.abort();
  }

  private schedule(): void {
    if (this.stopping.signal.aborted) return;
    const pauseMs = this.options.everyMs * (1 - (JITTER * randomInt(FINENESS)) / FINENESS);
    this.timer = setTimeout(() => {
      this.round = this.play().finally(() => this.schedule());
    }, pauseMs).unref();
  }

  private async play(): Promise<void> {
    const { isOurs, round, onSuccess, onFault } = this.options;
    if (!isOurs()) return;
    this.ending = new AbortController();
    try {
      await round(this.ending.signal);
      onSuccess();
    } catch (error) {
      onFault(error);
    }
  }
}
