import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { projections, retiredProjections } from '../projections/index.js';
import { categories } from './categories.js';
import { systemClock } from './kernel/clock.js';
import { type Config } from './platform/config/config.js';
import { DataKeys } from './platform/crypto/data-keys.js';
import { KeyRing } from './platform/crypto/key-ring.js';
import { KeyWatch } from './platform/crypto/key-watch.js';
import { openVault, type OpenVault } from './platform/crypto/open-vault.js';
import { KeyedHashes, Vault } from './platform/crypto/vault.js';
import { guardDeployment } from './platform/deployment/deployment-guard.js';
import { AggregateStore } from './platform/eventstore/aggregate-store.js';
import { EventStore } from './platform/eventstore/event-store.js';
import { openEventStore } from './platform/eventstore/open-event-store.js';
import { PostgresSnapshots, Snapshots } from './platform/eventstore/snapshots.js';
import { describeError, LOGGER } from './platform/http/logging.js';
import { Leadership } from './platform/leadership/leadership.js';
import { Database } from './platform/postgres/database.js';
import { applyMigrations } from './platform/postgres/migrations.js';
import { ReadModels } from './platform/projections/projection.js';
import { PostgresReadModels, readModelSearchPath } from './platform/projections/read-models.js';
import { disownReadModelsAhead, prepareReadModels, ProjectionRunner } from './platform/projections/runner.js';
import { rewindReactorsAhead } from './platform/reactors/reactor-rows.js';
import { CLOCK, CONFIG } from './platform/tokens.js';

export interface Parts {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
}

/** Everything that has to be opened before the first request: stores, keys, read models. */
export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly store: EventStore;
  readonly snapshots: Snapshots;
  readonly aggregates: AggregateStore;
  readonly vault: OpenVault;
  readonly readModels: PostgresReadModels;
  readonly runner: ProjectionRunner;
  readonly leadership: Leadership;
}

/** Throws StartupError or KeyMaterialError where the tables, the stores or the keys do not fit the deployment. */
export const openPlatform = async (config: Config, parts: Parts, logger: Logger): Promise<Platform> => {
  await applyMigrations(parts.databaseUrl, (message) => logger.warn(message));
  const { eventStoreClient: client, timing } = config;
  const { storeBudget: budgetMs } = timing;
  const store = openEventStore({ connectionString: parts.eventStoreUrl, client, budgetMs }, categories);
  const database = new Database({
    connectionString: parts.databaseUrl,
    budgetMs,
    searchPath: `public,${readModelSearchPath(projections)}`,
  });
  let vault: OpenVault | undefined;
  try {
    vault = await openVault(config, database, systemClock, config.erasure.keysForgotten);
    const snapshots = new PostgresSnapshots(database, (error) =>
      logger.warn({ error: describeError(error) }, 'a snapshot could not be saved'),
    );
    const aggregates = new AggregateStore(categories, store, snapshots, systemClock);
    await guardDeployment({ store, aggregates, database }, config.environment);
    await prepareReadModels(parts.databaseUrl, projections);
    const rewound = await rewindReactorsAhead(database, await store.head());
    for (const reactor of rewound)
      logger.warn({ reactor }, 'its checkpoint was behind the end of the log, which was restored');
    const projecting = { projections, retired: retiredProjections, store, database: parts.databaseUrl, log: logger };
    await disownReadModelsAhead(projecting);
    const runner = new ProjectionRunner(projecting);
    return {
      config,
      logger,
      database,
      store,
      snapshots,
      aggregates,
      vault,
      runner,
      leadership: new Leadership({
        database: parts.databaseUrl,
        onFault: (error) => logger.error({ error: describeError(error) }, 'who leads could not be found out'),
      }),
      readModels: new PostgresReadModels({ database, store, projections, board: runner.board }),
    };
  } catch (error) {
    vault?.close();
    await store.close();
    await database.close();
    throw error;
  }
};

/** Closes what was opened, once everything that uses it has shut down. */
export const closePlatform = async ({ runner, leadership, store, vault, database }: Platform): Promise<void> => {
  await runner.stop();
  await leadership.close();
  vault.close();
  await store.close();
  await database.close();
};

/** Binds the opened parts for the whole application. */
@Global()
@Module({})
export class PlatformModule {
  static of(platform: Platform): DynamicModule {
    const { config, logger, database, store, snapshots, aggregates, vault, readModels, leadership } = platform;
    const bindings = [
      { provide: CONFIG, useValue: config },
      { provide: CLOCK, useValue: systemClock },
      { provide: LOGGER, useValue: logger },
      { provide: Database, useValue: database },
      { provide: EventStore, useValue: store },
      { provide: Vault, useValue: vault.vault },
      { provide: KeyedHashes, useValue: vault.hashes },
      { provide: KeyRing, useValue: vault.ring },
      { provide: DataKeys, useValue: vault.keys },
      { provide: KeyWatch, useValue: vault.watch },
      { provide: Leadership, useValue: leadership },
      { provide: ReadModels, useValue: readModels },
      { provide: Snapshots, useValue: snapshots },
      { provide: AggregateStore, useValue: aggregates },
    ];
    return {
      module: PlatformModule,
      providers: bindings,
      exports: bindings.map(({ provide }) => provide),
    };
  }
}
