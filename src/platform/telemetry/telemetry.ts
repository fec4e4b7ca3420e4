import { type Config } from '../config/config.js';
import { type Logger } from '../http/logging.js';
import { type Metrics } from '../http/metrics.js';
import { Tracing } from './tracing.js';

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

/** Where no collector is configured. */
export const NO_TELEMETRY: Telemetry = {
  tracing: new Tracing(),
  sendMetrics: () => undefined,
  beforeApplicationShutdown: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Loads the packages of OpenTelemetry only where a collector is configured. */
export const openTelemetry = async (
  { telemetry, environment }: Pick<Config, 'telemetry' | 'environment'>,
  logger: Logger,
): Promise<Telemetry> => {
  if (telemetry === undefined) return NO_TELEMETRY;
  const { OtlpTelemetry } = await import('./otlp-telemetry.js');
  return new OtlpTelemetry(telemetry, environment, logger);
};
