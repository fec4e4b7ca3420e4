import { type Clock } from '../../kernel/clock.js';
import { describeError, type Logger } from '../../observability/logging.js';

/** Milliseconds between two lines. */
const PAUSE = 60_000;

export type Signal = 'traces' | 'metrics';

/** Reports what did not reach the collector, by one line a minute at most. */
export class LostTelemetry {
  private warnedAt = -Infinity;
  private failures = 0;

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** An export of this signal failed. */
  failed(signal: Signal, error: unknown): void {
    const { code } = error as { code?: unknown };
    const status = typeof code === 'number' ? { status: code } : {};
    this.warnThrottled({ signal, ...status, error: describeError(error) }, 'telemetry did not reach the collector');
  }

  /** What OpenTelemetry itself warns of, such as spans that its full queue dropped. */
  warned(problem: string): void {
    this.warnThrottled({ problem }, 'telemetry is incomplete');
  }

  private warnThrottled(fields: object, message: string): void {
    this.failures += 1;
    const now = this.clock.monotonic();
    if (now - this.warnedAt < PAUSE) return;
    this.logger.warn({ ...fields, failures: this.failures }, message);
    this.warnedAt = now;
    this.failures = 0;
  }
}
