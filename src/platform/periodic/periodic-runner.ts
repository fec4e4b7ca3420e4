import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Counter } from 'prom-client';
import { type Config } from '../config/config.js';
import { describeError, LOGGER, type Logger } from '../../observability/logging.js';
import { Metrics } from '../../observability/metrics.js';
import { Leadership } from '../leadership/leadership.js';
import { CONFIG } from '../tokens.js';
import { PERIODIC, type PeriodicOptions } from './periodic.js';
import { PeriodicWork } from './periodic-work.js';

type Round = (signal: AbortSignal) => Promise<void> | void;

/** Finds every method with @Periodic and calls it on schedule. It respects the role and, for work done alone, the leader. */
@Injectable()
export class PeriodicRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly works: PeriodicWork[] = [];
  private readonly failures: Counter<'work'>;
  /** Rounds that failed since the last that succeeded. */
  private readonly inARow = new Map<string, number>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly leadership: Leadership,
    metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.failures = new Counter({
      name: 'periodic_failures_total',
      help: 'Rounds of periodic work that failed',
      labelNames: ['work'] as const,
      registers: [metrics.registry],
    });
    const help = 'Rounds of periodic work that failed since the last that succeeded';
    metrics.gauge('periodic_failures_in_a_row', help, 'work', () => this.inARow);
  }

  onApplicationBootstrap(): void {
    const seen = new Set<unknown>();
    for (const wrapper of this.discovery.getProviders()) {
      const instance = wrapper.instance as object | null | undefined;
      // One instance may be bound under several tokens.
      if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue;
      seen.add(instance);
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const options = this.discovery.getMetadataByDecorator(PERIODIC, wrapper, method);
        if (options !== undefined) this.begin(instance, method, options);
      }
    }
  }

  /** Runs before anything that a round uses shuts down. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.works.map((work) => work.stop()));
  }

  private begin(instance: object, method: string, { every, role, alone }: PeriodicOptions): void {
    if (role !== undefined && !this.config.roles.has(role)) return;
    const name = `${instance.constructor.name}.${method}`;
    const round = (instance as Record<string, Round>)[method];
    if (round === undefined) return;
    const work = new PeriodicWork({
      everyMs: typeof every === 'number' ? every : every(this.config),
      round: (signal) => round.call(instance, signal),
      isOurs: () => alone !== true || this.leadership.holds(name),
      onSuccess: () => this.succeeded(name),
      onFault: (error) => this.failed(name, error),
    });
    this.failures.inc({ work: name }, 0);
    this.inARow.set(name, 0);
    this.works.push(work);
    if (alone === true) this.leadership.claim({ name, lost: () => work.cutShort() });
    work.start();
  }

  private succeeded(work: string): void {
    if ((this.inARow.get(work) ?? 0) > 0) this.logger.info({ work }, 'periodic work succeeds again');
    this.inARow.set(work, 0);
  }

  private failed(work: string, error: unknown): void {
    this.failures.inc({ work });
    const before = this.inARow.get(work) ?? 0;
    this.inARow.set(work, before + 1);
    if (before > 0) return;
    this.logger.warn({ work, error: describeError(error) }, 'periodic work failed; it is tried again');
  }
}
