import { type Metrics } from '../../observability/metrics.js';
import { type Tracing } from './tracing.js';

/** What this process sends to a collector. */
export interface Telemetry {
  readonly tracing: Tracing;
  /** Sends these metrics at intervals from now on. */
  sendMetrics(metrics: Metrics): void;
  /** Nest calls it while the stores that metrics read are still open. */
  beforeApplicationShutdown(): Promise<void>;
  /** Sends what is left, within a bounded time. Call it last. */
  close(): Promise<void>;
}
