import { type Clock } from '../../kernel/clock.js';
import { overdueBackups } from '../../platform/postgres/backups.js';
import { type FactoryProvider, Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { CategoryRegistry } from '../../kernel/category-registry.js';
import { retryWhileUnavailable } from '../../kernel/retry-while-unavailable.js';
import { type Config } from '../../platform/config/config.js';
import { DataKeys } from '../../platform/crypto/data-keys.js';
import { KeyCensus } from '../../platform/crypto/key-census.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { KeyWatch } from '../../platform/crypto/key-watch.js';
import { LostKeys } from '../../platform/crypto/lost-keys.js';
import { KeyedHashes, Vault } from '../../platform/crypto/vault.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { HealthChecks, type PartReport } from '../../observability/health.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Metrics } from '../../observability/metrics.js';
import { MonitoringModule } from '../../observability/monitoring.module.js';
import { Leadership } from '../../platform/leadership/leadership.js';
import { Database } from '../../platform/postgres/database.js';
import { readSetAside } from '../../log/project/failures.js';
import { healthOf, readinessOf } from '../../log/project/health.js';
import { observeProjections } from '../../log/project/metrics.js';
import { ReadModels } from '../../log/project/projection.js';
import { registeredProjections } from '../../log/project/projections.module.js';
import { observeVerifications } from '../../log/project/verifications.js';
import { CLOCK, CONFIG, STORE_ADDRESSES, type StoreAddresses } from '../../platform/tokens.js';
import { Tracing } from '../telemetry/tracing.js';
import { observeStanding } from './standing-metrics.js';
import { HealthChangeLog } from './health-change-log.js';
import { measureAppends, observeStores } from './store-metrics.js';
import { Stores } from './stores.js';

const PARTS: readonly FactoryProvider[] = [
  { provide: Database, inject: [Stores], useFactory: ({ database }: Stores) => database },
  { provide: EventStore, inject: [Stores], useFactory: ({ events }: Stores) => events },
  { provide: Vault, inject: [Stores], useFactory: ({ vault }: Stores) => vault.vault },
  { provide: KeyedHashes, inject: [Stores], useFactory: ({ vault }: Stores) => vault.hashes },
  { provide: KeyRing, inject: [Stores], useFactory: ({ vault }: Stores) => vault.ring },
  { provide: ReadModels, inject: [Stores], useFactory: ({ readModels }: Stores) => readModels },
  { provide: DataKeys, inject: [Stores], useFactory: ({ vault }: Stores) => vault.keys },
  { provide: KeyWatch, inject: [Stores], useFactory: ({ vault }: Stores) => vault.watch },
  { provide: Leadership, inject: [Stores], useFactory: ({ leadership }: Stores) => leadership },
  { provide: AggregateStore, inject: [Stores], useFactory: ({ aggregates }: Stores) => aggregates },
];

const SET_ASIDE = 'Events that a read model goes on without, as an operator decided';

const asideOf = async (database: Database): Promise<'up' | PartReport> => {
  const [first, ...others] = await readSetAside(database);
  if (first === undefined) return 'up';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return { state: 'degraded', note: `${first.projection} goes on without position ${first.position}${more}` };
};

/** Reads answer, and every charge is refused: for example on a full disk. */
const eventStoreState = ({ healthy, appendsFailSince: since, server }: EventStore): PartReport | 'up' | 'down' => {
  const name = server ?? 'the server';
  if (!healthy) return { state: 'down', note: `${name} does not answer` };
  if (since === undefined) return server === undefined ? 'up' : { state: 'up', note: server };
  return { state: 'degraded', note: `${name} takes no events since ${since.toISOString()}: look at its disk` };
};

/** Stores, keys and read models, for every module. */
@Global()
@Module({
  imports: [MonitoringModule],
  providers: [
    {
      provide: Stores,
      inject: [CONFIG, STORE_ADDRESSES, LOGGER, CategoryRegistry, ModulesContainer, Metrics, Tracing],
      useFactory: (
        config: Config,
        addresses: StoreAddresses,
        logger: Logger,
        categories: CategoryRegistry,
        modules: ModulesContainer,
        metrics: Metrics,
        tracing: Tracing,
      ) => {
        const parts = { categories, projections: registeredProjections(modules) };
        const observers = { observeAppend: measureAppends(metrics), tracing };
        return retryWhileUnavailable(() => Stores.open(config, addresses, parts, logger, observers));
      },
    },
    ...PARTS,
    {
      provide: LostKeys,
      inject: [Database, EventStore, CategoryRegistry, Vault],
      useFactory: (database: Database, store: EventStore, categories: CategoryRegistry, vault: Vault) =>
        new LostKeys(database, store, categories, vault),
    },
    KeyCensus,
    HealthChangeLog,
  ],
  exports: [Stores, LostKeys, ...PARTS.map(({ provide }) => provide)],
})
export class StoresModule implements OnModuleInit {
  constructor(
    private readonly stores: Stores,
    private readonly modules: ModulesContainer,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const { events, database, readModels, runner } = this.stores;
    const { roles } = this.config;
    this.health.register('event_store', true, () => eventStoreState(events));
    this.health.register('postgres', true, () => database.query('SELECT 1').then(() => 'up' as const));
    for (const { name } of registeredProjections(this.modules)) {
      this.health.register(`read_model_${name}`, roles.has('api'), async () =>
        readinessOf((await readModels.states()).get(name)),
      );
    }
    observeStanding(this.config, this.health, database, this.metrics);
    observeStores(this.stores, this.metrics);
    observeVerifications(database, this.metrics);
    this.metrics.storedGauge('backups_overdue', 'Registered back-ups that exist beyond 90 days', () =>
      overdueBackups(database, this.clock.now()).then(({ length }) => length),
    );
    this.health.register('events_set_aside', false, () => asideOf(database));
    this.metrics.storedGauges('projection_events_set_aside', SET_ASIDE, 'projection', async () => {
      const aside = await readSetAside(database);
      const names = new Set(aside.map(({ projection }) => projection));
      return new Map([...names].map((name) => [name, aside.filter(({ projection }) => projection === name).length]));
    });
    if (!roles.has('projections')) return;
    observeProjections(runner, this.metrics.registry);
    this.health.register('projections', false, () => healthOf(runner.status()));
  }
}
