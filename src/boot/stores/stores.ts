import { type OnApplicationShutdown } from '@nestjs/common';
import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { systemClock } from '../../kernel/clock.js';
import { type Config } from '../../platform/config/config.js';
import { openVault, type OpenVault } from '../../platform/crypto/open-vault.js';
import { guardDeployment } from './deployment-guard.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { MeasuredEventStore, type ObserveAppend } from '../../platform/eventstore/measured-event-store.js';
import { openEventStore } from '../open-event-store.js';
import { PostgresSnapshots, type Snapshots } from '../../log/append/snapshots.js';
import { describeError, type Logger } from '../../observability/logging.js';
import { Leadership } from '../../platform/leadership/leadership.js';
import { type Database } from '../../platform/postgres/database.js';
import { applyMigrations } from '../../platform/postgres/migrations.js';
import { type Projection } from '../../log/project/projection.js';
import { PostgresReadModels, readModelSearchPath } from '../../log/project/read-models.js';
import { disownReadModelsAhead, prepareReadModels, ProjectionRunner } from '../../log/project/runner.js';
import { rewindReactorsAhead } from '../../log/react/reactor-rows.js';
import { type Tracing } from '../telemetry/tracing.js';
import { type StoreAddresses } from '../../platform/tokens.js';

/** The categories and projections that the slices add to the stores. */
export interface StoredParts {
  readonly categories: CategoryRegistry;
  readonly projections: readonly Projection[];
}

/** What counts and traces the work of the stores. */
export interface StoreObservers {
  readonly observeAppend: ObserveAppend;
  readonly tracing: Tracing;
}

/**
 * Opens everything that the first request needs: stores, keys, read models. It is one provider for two reasons. If one
 * part fails to open, the parts opened before it are closed. Each part also needs the earlier ones until it is closed.
 */
export class Stores implements OnApplicationShutdown {
  constructor(
    readonly database: Database,
    readonly events: EventStore,
    readonly snapshots: Snapshots,
    readonly aggregates: AggregateStore,
    readonly vault: OpenVault,
    readonly readModels: PostgresReadModels,
    readonly runner: ProjectionRunner,
    readonly leadership: Leadership,
  ) {}

  /** Throws StartupError or KeyMaterialError if the tables, the stores or the keys do not fit the deployment. */
  static async open(
    config: Config,
    { databaseUrl, eventStoreUrl }: StoreAddresses,
    { categories, projections }: StoredParts,
    logger: Logger,
    { observeAppend, tracing }: StoreObservers,
  ): Promise<Stores> {
    await applyMigrations(databaseUrl, (message) => logger.warn(message));
    const budgetMs = config.timing.storeBudget;
    const client = config.eventStoreClient;
    const log = openEventStore({ connectionString: eventStoreUrl, client, budgetMs }, categories);
    const events = tracing.eventStore(new MeasuredEventStore(log, observeAppend));
    const searchPath = `public,${readModelSearchPath(projections)}`;
    const database = tracing.database({ connectionString: databaseUrl, budgetMs, searchPath });
    let vault: OpenVault | undefined;
    try {
      vault = await openVault(config, database, systemClock, config.erasure.keysForgotten);
      const snapshots = new PostgresSnapshots(database, (error) =>
        logger.warn({ error: describeError(error) }, 'a snapshot could not be saved'),
      );
      const aggregates = new AggregateStore(categories, events, snapshots, systemClock);
      await guardDeployment({ store: events, aggregates, database }, config.environment);
      await prepareReadModels(databaseUrl, projections);
      for (const reactor of await rewindReactorsAhead(database, () => events.head()))
        logger.warn({ reactor }, 'its checkpoint was past the end of the log, which was restored');
      const projecting = { projections, store: events, database: databaseUrl, log: logger };
      await disownReadModelsAhead(projecting);
      const runner = new ProjectionRunner({ ...projecting, applying: tracing.applying });
      const readModels = new PostgresReadModels({ database, store: events, projections, board: runner.board });
      const leadership = new Leadership({
        database: databaseUrl,
        onFault: (error) => logger.error({ error: describeError(error) }, 'who leads could not be found out'),
      });
      return new Stores(database, events, snapshots, aggregates, vault, readModels, runner, leadership);
    } catch (error) {
      vault?.close();
      await events.close();
      await database.close();
      throw error;
    }
  }

  /** StoresModule is global, so Nest shuts down all others before it. */
  async onApplicationShutdown(): Promise<void> {
    await this.runner.stop();
    await this.leadership.close();
    this.vault.close();
    await this.events.close();
    await this.database.close();
  }
}
