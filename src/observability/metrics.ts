import pLimit from 'p-limit';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Unavailable } from '../kernel/unavailable.js';
import { type Subject, type Verdict } from '../kernel/rate-limits.js';

/** Milliseconds between two samples of the event loop's delay. The reported delay includes it. Each sample wakes the process. */
const EVENT_LOOP_LOOK = 100;

/** Accounts that get a label of their own while the process lives. The others are counted together. */
const NAMED_ACCOUNTS = 100;

/** Undefined while the store that is read is away. */
const unlessAway = async <Value>(read: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
};

/** The process's metrics. Other parts register theirs with `registry`. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route template and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
    registers: [this.registry],
  });

  private readonly throttled = new Counter({
    name: 'http_requests_throttled_total',
    help: 'Requests that a rate limit refused, by the kind of caller, the account and the limit',
    labelNames: ['caller', 'account', 'reason'] as const,
    registers: [this.registry],
  });
  /** A scrape reads the stores by one statement at a time, so that it takes no connections from requests. */
  private readonly oneByOne = pLimit(1);
  private readonly namedAccounts = new Set<string>();

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK });
  }

  /** A counter with one label, for a slice. The returned function counts one of a label's value. */
  counter(name: string, help: string, label: string): (value: string) => void {
    const counter = new Counter({ name, help, labelNames: [label], registers: [this.registry] });
    return (value) => counter.inc({ [label]: value });
  }

  /** A gauge with one label, for a slice. `read` gives the present figures by the label's values; others are forgotten. */
  gauge(name: string, help: string, label: string, read: () => ReadonlyMap<string, number>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, figure] of read()) this.set({ [label]: value }, figure);
      },
    });
  }

  /** A counter without labels. The returned function adds to it. */
  total(name: string, help: string): (by: number) => void {
    const counter = new Counter({ name, help, registers: [this.registry] });
    return (by) => counter.inc(by);
  }

  /** A value that is read at each scrape. While its store is away the earlier one stays. */
  storedGauge(name: string, help: string, read: () => Promise<number>): void {
    const { oneByOne } = this;
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        const figure = await oneByOne(() => unlessAway(read));
        if (figure !== undefined) this.set(figure);
      },
    });
  }

  /** The same with one label. Values of the label that are not read any more are forgotten. */
  storedGauges(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void {
    const { oneByOne } = this;
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        const figures = await oneByOne(() => unlessAway(read));
        if (figures === undefined) return;
        this.reset();
        for (const [value, figure] of figures) this.set({ [label]: value }, figure);
      },
    });
  }

  /** Counts a request that a limit refused. An account is named if it is among the first that were throttled. */
  countThrottled(subject: Subject, reason: Exclude<Verdict, 'allowed'>): void {
    this.throttled.inc({ caller: subject.kind, account: this.accountLabel(subject), reason });
  }

  /** A label for each account would grow with their number, so there are at most so many of them. */
  private accountLabel({ kind, id }: Subject): string {
    if (kind !== 'account') return '';
    if (this.namedAccounts.has(id)) return id;
    if (this.namedAccounts.size >= NAMED_ACCOUNTS) return 'other';
    this.namedAccounts.add(id);
    return id;
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }
}
