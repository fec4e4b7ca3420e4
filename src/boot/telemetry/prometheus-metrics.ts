import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime, millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { type Registry } from 'prom-client';

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Of a histogram: its name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}

/** A metric as prom-client gives it. */
export interface PrometheusMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly Sample[];
}

interface Period {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

const BOUND = 'le';

const attributesOf = (labels: Sample['labels']): Attributes =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([name, value]) => name !== BOUND && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

/** The unit that Prometheus writes at the end of a name. */
const unitOf = (name: string): string => {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'By' : '';
};

/** Prometheus counts what is at most the bound; OTLP what is between it and the one before. */
const histogramOf = (name: string, samples: readonly Sample[]): Histogram => {
  const buckets = samples
    .filter(({ metricName }) => metricName === `${name}_bucket`)
    .map(({ labels, value }) => ({ bound: Number(String(labels[BOUND]).replace('+Inf', 'Infinity')), value }))
    .sort((one, other) => one.bound - other.bound);
  const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
  const one = (suffix: string): number =>
    samples.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const boundaries = buckets.map(({ bound }) => bound).filter(Number.isFinite);
  return { buckets: { boundaries, counts }, sum: one('sum'), count: one('count') };
};

const histogramPoints = ({ name, values }: PrometheusMetric, period: Period): DataPoint<Histogram>[] => {
  const series = new Map<string, Sample[]>();
  for (const sample of values) {
    const key = JSON.stringify(attributesOf(sample.labels));
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  return [...series].map(([key, samples]) => ({
    ...period,
    attributes: JSON.parse(key) as Attributes,
    value: histogramOf(name, samples),
  }));
};

/** The same figures under the same names. */
export const toOtlp = (metric: PrometheusMetric, period: Period): MetricData => {
  const { name, help, type, values } = metric;
  const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (type === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(metric, period) };
  const dataPoints = values.map(({ labels, value }) => ({ ...period, attributes: attributesOf(labels), value }));
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
};

/** What /metrics shows, measured once and read here too. Counters count from the start of the process. */
export class PrometheusMetrics implements MetricProducer {
  private readonly startTime = millisToHrTime(performance.timeOrigin);

  /** `failed` gets what keeps metrics from being read: OpenTelemetry's own message of it is not logged. */
  constructor(
    private readonly registry: Registry,
    private readonly failed: (error: unknown) => void,
  ) {}

  async collect(): Promise<CollectionResult> {
    const found = await this.read();
    const period = { startTime: this.startTime, endTime: hrTime() };
    const metrics = found.filter(({ values }) => values.length > 0).map((metric) => toOtlp(metric, period));
    return {
      resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: 'kyc' }, metrics }] },
      errors: [],
    };
  }

  private async read(): Promise<readonly PrometheusMetric[]> {
    try {
      return (await this.registry.getMetricsAsJSON()) as unknown as readonly PrometheusMetric[];
    } catch (error) {
      this.failed(error);
      return [];
    }
  }
}
