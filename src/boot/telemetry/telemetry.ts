import { type Config } from '../../platform/config/config.js';
import { type Logger } from '../../observability/logging.js';
import { type Telemetry } from './telemetry-port.js';
import { Tracing } from './tracing.js';

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
