import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PrometheusMetrics } from './prometheus-metrics.js';

const collected = async (fill: (registry: Registry) => void): Promise<MetricData[]> => {
  const registry = new Registry();
  fill(registry);
  const unexpected = (error: unknown): never => {
    throw error;
  };
  const { resourceMetrics } = await new PrometheusMetrics(registry, unexpected).collect();
  return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
};

it('gives a counter as a growing sum, by its labels', async () => {
  const [metric] = await collected((registry) => {
    const tries = new Counter({ name: 'tries_total', help: 'Tries', labelNames: ['outcome'], registers: [registry] });
    tries.inc({ outcome: 'done' }, 3);
    tries.inc({ outcome: 'failed' });
  });
  expect(metric).toMatchObject({
    descriptor: { name: 'tries_total', description: 'Tries', unit: '' },
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [
      { attributes: { outcome: 'done' }, value: 3 },
      { attributes: { outcome: 'failed' }, value: 1 },
    ],
  });
});

it('gives a gauge as it is, with the unit of its name', async () => {
  const [metric] = await collected((registry) => {
    new Gauge({ name: 'lag_seconds', help: 'Lag', registers: [registry] }).set(2.5);
  });
  expect(metric).toMatchObject({
    descriptor: { name: 'lag_seconds', unit: 's' },
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ attributes: {}, value: 2.5 }],
  });
});

it('gives the counts between the bounds of a histogram, one point for each series', async () => {
  const [metric] = await collected((registry) => {
    const sizes = new Histogram({
      name: 'sizes',
      help: 'Sizes',
      labelNames: ['status'],
      buckets: [1, 5],
      registers: [registry],
    });
    for (const size of [0.5, 1, 3, 100]) sizes.observe({ status: 200 }, size);
    sizes.observe({ status: 500 }, 2);
  });
  expect(metric).toMatchObject({
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: [
      {
        attributes: { status: '200' },
        value: { buckets: { boundaries: [1, 5], counts: [2, 1, 1] }, sum: 104.5, count: 4 },
      },
      {
        attributes: { status: '500' },
        value: { buckets: { boundaries: [1, 5], counts: [0, 1, 0] }, sum: 2, count: 1 },
      },
    ],
  });
});

it('leaves out a metric without figures', async () => {
  const metrics = await collected((registry) => {
    new Counter({ name: 'never_total', help: 'Never', labelNames: ['why'], registers: [registry] });
  });
  expect(metrics).toEqual([]);
});
