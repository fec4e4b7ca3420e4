import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Counter, Gauge } from 'prom-client';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { HealthChecks } from '../../observability/health.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Metrics } from '../../observability/metrics.js';
import { Leadership } from '../../platform/leadership/leadership.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { WorkTracing } from '../../kernel/work-tracing.js';
import { type Reaction } from '../../kernel/reaction.js';
import { Reactor } from './reactor.js';
import { ReactorFollower, type ReactorStatus } from './reactor-follower.js';
import { parkedCounts } from './reactor-rows.js';

/** Lag of effects in seconds that an operator should look at. */
const MAX_LAG = 60;

/** Never `down`: requests are served without reactors. */
export const healthOf = ({ state, lagSeconds }: ReactorStatus, parked: number): 'up' | 'degraded' => {
  const standsStill = state === 'waiting' || state === 'superseded';
  return standsStill || lagSeconds > MAX_LAG || parked > 0 ? 'degraded' : 'up';
};

/** Runs every provider with @Reactor. */
@Injectable()
export class ReactorRunner implements BeforeApplicationShutdown {
  private readonly followers: ReactorFollower[] = [];
  private parked: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly leadership: Leadership,
    private readonly store: EventStore,
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly health: HealthChecks,
    private readonly tracing: WorkTracing,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call it in processes with the role `jobs`. */
  start(): void {
    const outcomes = this.observe();
    for (const wrapper of this.discovery.getProviders({ metadataKey: Reactor.KEY })) {
      const options = this.discovery.getMetadataByDecorator(Reactor, wrapper);
      if (options === undefined) continue;
      const reaction = wrapper.instance as Reaction;
      const reactor = { ...options, ...reaction.follows };
      const follower = new ReactorFollower({
        reactor,
        reaction: this.tracing.reaction(reactor.name, reaction),
        leadership: this.leadership,
        store: this.store,
        log: this.logger,
        count: (name, outcome) => outcomes.inc({ reactor: name, outcome }),
      });
      this.followers.push(follower);
      this.health.register(`reactor_${reactor.name}`, false, () =>
        healthOf(follower.status(), this.parked.get(reactor.name) ?? 0),
      );
      follower.start();
    }
  }

  /** Counts the parked events and retries those that operators marked. */
  @Periodic({ every: 5_000, role: 'jobs' })
  async lookAtParked(): Promise<void> {
    const counts = await parkedCounts(this.database);
    this.parked = new Map(counts.map(({ reactor, parked }) => [reactor, parked]));
    const wanted = new Set(counts.filter((row) => row.wanted > 0).map(({ reactor }) => reactor));
    await Promise.all(
      this.followers.filter(({ reactor }) => wanted.has(reactor)).map((follower) => follower.retryWanted()),
    );
  }

  /** Runs while the stores that effects need are still open. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.followers.map((follower) => follower.stop()));
  }

  private observe(): Counter<'reactor' | 'outcome'> {
    const registers = [this.metrics.registry];
    const gauge = (name: string, help: string, read: (status: ReactorStatus) => number): void => {
      const followers = this.followers;
      new Gauge({
        name,
        help,
        labelNames: ['reactor'] as const,
        registers,
        collect() {
          for (const follower of followers) this.set({ reactor: follower.reactor }, read(follower.status()));
        },
      });
    };
    gauge('reactor_lag_seconds', 'Age of the oldest event whose effect is not done', (s) => s.lagSeconds);
    gauge('reactor_position', 'Commit position up to which effects are done, where this process leads', (s) =>
      Number(s.position ?? 0n),
    );
    gauge('reactor_parked', 'Events that wait for an operator', (s) => this.parked.get(s.reactor) ?? 0);
    return new Counter({
      name: 'reactor_events_total',
      help: 'Effects that were done, are tried again, or were parked',
      labelNames: ['reactor', 'outcome'] as const,
      registers,
    });
  }
}
