import { SAMPLERS } from './config.js';
import { choice, flag, matching, milliseconds, share, text, url, wholeNumber } from './variable.js';

/** Pairs as the specification of OpenTelemetry writes them. */
const PAIRS = /^\s*[^=,\s]+\s*=[^,]*(,\s*[^=,\s]+\s*=[^,]*)*$/;
const PAIRS_TAKEN = 'pairs such as name=value, with commas between them and each value percent-encoded';

/** Those of OpenTelemetry, under the names of its specification. */
export const TELEMETRY_VARIABLES = {
  otlpEndpoint: url(['http', 'https'], {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    example: 'http://127.0.0.1:4318',
    purpose:
      'Sends traces and metrics to an OpenTelemetry collector, by OTLP over HTTP with protobuf. Without an endpoint nothing of OpenTelemetry runs.',
    secret: true,
  }),
  otlpTracesEndpoint: url(['http', 'https'], {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    example: 'http://127.0.0.1:4318/v1/traces',
    purpose: 'Sends traces to exactly this address.',
    secret: true,
  }),
  otlpMetricsEndpoint: url(['http', 'https'], {
    name: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    example: 'http://127.0.0.1:4318/v1/metrics',
    purpose: 'Sends metrics to exactly this address.',
    secret: true,
  }),
  otlpHeaders: matching(PAIRS, PAIRS_TAKEN, {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: undefined,
    example: 'authorization=Bearer%20…',
    purpose: 'Headers of what is sent to the collector.',
    secret: true,
  }),
  otelTraces: choice(['otlp', 'none'], {
    name: 'OTEL_TRACES_EXPORTER',
    fallback: 'otlp',
    purpose: 'Whether traces are sent where an endpoint is set.',
  }),
  otelMetrics: choice(['otlp', 'none'], {
    name: 'OTEL_METRICS_EXPORTER',
    fallback: 'otlp',
    purpose: 'Whether metrics are sent where an endpoint is set.',
  }),
  otelSampler: choice(SAMPLERS, {
    name: 'OTEL_TRACES_SAMPLER',
    fallback: 'parentbased_always_on',
    purpose: 'Which requests are traced; parentbased ones do as the traceparent of a request says, where it has one.',
  }),
  otelSamplerArg: share({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    purpose: 'The share of requests that the samplers with a ratio trace.',
  }),
  otelQueue: wholeNumber(1, 1_000_000, 'spans', {
    name: 'OTEL_BSP_MAX_QUEUE_SIZE',
    fallback: '2048',
    purpose: 'The most spans that wait to be sent. What comes while so many wait is lost.',
  }),
  otelDelay: milliseconds('OTEL_BSP_SCHEDULE_DELAY', 5_000, 'How long spans are gathered before they are sent.'),
  otelInterval: milliseconds('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 'How often metrics are sent.'),
  otelServiceName: text('a name', {
    name: 'OTEL_SERVICE_NAME',
    fallback: 'kyc-attestation-network',
    purpose: 'The name of the service in traces and metrics.',
  }),
  otelAttributes: matching(PAIRS, PAIRS_TAKEN, {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    fallback: undefined,
    example: 'service.namespace=kyc,deployment.environment.name=staging',
    purpose: 'Other attributes of the service in traces and metrics.',
  }),
  otelDisabled: flag({
    name: 'OTEL_SDK_DISABLED',
    fallback: 'false',
    purpose: 'Sends nothing to the collector, whatever else is set.',
  }),
} as const;
