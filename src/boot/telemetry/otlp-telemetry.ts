import { diag, DiagLogLevel } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../kernel/clock.js';
import { completesWithin } from '../../kernel/completes-within.js';
import { type Environment, type TelemetrySettings, type TraceSettings } from '../../platform/config/config.js';
import { type Logger } from '../../observability/logging.js';
import { type Metrics } from '../../observability/metrics.js';
import { LostTelemetry, type Signal } from './lost-telemetry.js';
import { OtlpTracing } from './otlp-tracing.js';
import { PrometheusMetrics } from './prometheus-metrics.js';
import { FollowsCauses, samplerOf } from './sampling.js';
import { type Telemetry } from './telemetry-port.js';
import { ChosenIds } from './trace-ids.js';
import { Traces } from './traces.js';
import { Tracing } from './tracing.js';

/** Milliseconds that a stop waits for the collector, for metrics and for spans. */
const FLUSH = 2_000;
/** The most spans of one export. */
const MAX_SENT = 512;

type Done = (result: ExportResult) => void;
type Failed = (error: unknown) => void;

const watched =
  (done: Done, failed: Failed): Done =>
  (result) => {
    if (result.code === ExportResultCode.FAILED) failed(result.error);
    done(result);
  };

class WatchedTraceExporter extends OTLPTraceExporter {
  constructor(
    options: ConstructorParameters<typeof OTLPTraceExporter>[0],
    private readonly failed: Failed,
  ) {
    super(options);
  }

  override export(spans: ReadableSpan[], done: Done): void {
    super.export(spans, watched(done, this.failed));
  }
}

class WatchedMetricExporter extends OTLPMetricExporter {
  constructor(
    options: ConstructorParameters<typeof OTLPMetricExporter>[0],
    private readonly failed: Failed,
  ) {
    super(options);
  }

  override export(metrics: ResourceMetrics, done: Done): void {
    super.export(metrics, watched(done, this.failed));
  }
}

const resourceOf = ({ serviceName, attributes }: TelemetrySettings, environment: Environment): Resource =>
  defaultResource().merge(
    resourceFromAttributes({
      'service.instance.id': randomUUID(),
      'deployment.environment.name': environment,
      ...parseKeyPairsIntoRecord(attributes),
      'service.name': serviceName,
    }),
  );

/** Sends spans and metrics to a collector by OTLP over HTTP. Nothing here is waited for by a request. */
export class OtlpTelemetry implements Telemetry {
  readonly tracing: Tracing;
  private readonly lost: LostTelemetry;
  private readonly resource: Resource;
  private readonly headers: Record<string, string>;
  private readonly spans: TracerProvider | undefined;
  private metrics: MeterProvider | undefined;

  constructor(
    private readonly settings: TelemetrySettings,
    environment: Environment,
    logger: Logger,
  ) {
    const lost = (this.lost = new LostTelemetry(logger, systemClock));
    const ignored = (): void => undefined;
    const warn = (problem: string): void => lost.warned(problem);
    diag.setLogger({ verbose: ignored, debug: ignored, info: ignored, warn, error: ignored }, DiagLogLevel.WARN);
    this.resource = resourceOf(settings, environment);
    this.headers = parseKeyPairsIntoRecord(settings.headers);
    const { traces } = settings;
    if (traces === undefined) this.tracing = new Tracing();
    else ({ spans: this.spans, tracing: this.tracing } = this.openTraces(traces));
  }

  sendMetrics({ registry }: Metrics): void {
    const { headers, resource, settings } = this;
    if (settings.metrics === undefined) return;
    const { url, every } = settings.metrics;
    const failed = (error: unknown): void => this.lost.failed('metrics', error);
    const reader = new PeriodicExportingMetricReader({
      exporter: new WatchedMetricExporter({ url, headers }, failed),
      exportIntervalMillis: every,
      metricProducers: [new PrometheusMetrics(registry, failed)],
    });
    this.metrics = new MeterProvider({ resource, readers: [reader] });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.ends('metrics', this.metrics?.shutdown());
  }

  async close(): Promise<void> {
    await this.ends('traces', this.spans?.shutdown());
  }

  private openTraces({ url, sampler, share, maxQueueSize, delay }: TraceSettings) {
    const { headers, resource } = this;
    const ids = new ChosenIds();
    const chosen = samplerOf(sampler, share);
    const queue = {
      maxQueueSize,
      maxExportBatchSize: Math.min(maxQueueSize, MAX_SENT),
      scheduledDelayMillis: delay,
    };
    const exporter = new WatchedTraceExporter({ url, headers }, (error) => this.lost.failed('traces', error));
    const spans = new TracerProvider({
      resource,
      idGenerator: ids,
      sampler: new FollowsCauses(chosen),
      spanProcessors: [new BatchSpanProcessor({ exporter, ...queue })],
    });
    return { spans, tracing: new OtlpTracing(new Traces(spans.getTracer('kyc'), ids, chosen)) };
  }

  /** What the collector does not take in time is lost: a stop does not wait for it. */
  private async ends(signal: Signal, flush: Promise<void> | undefined): Promise<void> {
    if (flush === undefined) return;
    const flushed = flush.catch((error: unknown) => this.lost.failed(signal, error));
    if (!(await completesWithin(FLUSH, flushed))) this.lost.warned(`the collector took no ${signal} at the stop`);
  }
}
