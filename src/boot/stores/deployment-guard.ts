import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { newUuid } from '../../kernel/ids.js';
import { type Environment } from '../../platform/config/config.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type AggregateStore } from '../../log/append/aggregate-store.js';
import { type EventStore, WrongExpectedRevision } from '../../platform/eventstore/event-store.js';
import { type Database } from '../../platform/postgres/database.js';
import { deploymentCategory, DEPLOYMENT_STREAM, type DeploymentFounded } from '../../platform/deployment.category.js';

type Deployment = DeploymentFounded['data'];

export interface GuardedStores {
  readonly store: EventStore;
  readonly aggregates: AggregateStore;
  readonly database: Database;
}

const RESTORE_STEP =
  'Restore the Postgres back-up that belongs to this log (taken after it), run `npm run projections -- rebuild` for each ' +
  'projection and `npm run keys -- reapply-erasures`, then start again; see docs/operations.md.';

/**
 * The event log and Postgres belong together: both carry the deployment's id and environment. A mismatch refuses to
 * start, because two deployments would mix. A log with sealed data beside an empty table of data keys refuses to start
 * too. Serving on would make personal data unreadable for good.
 */
export const guardDeployment = async (
  { store, aggregates, database }: GuardedStores,
  environment: Environment,
): Promise<Deployment> => {
  const inDatabase = await readDatabase(database);
  const inLog = await readLog(store);
  if (inDatabase !== undefined && inLog === undefined) {
    throw new StartupError(
      `Postgres belongs to deployment ${inDatabase.deploymentId}, but the event log is empty: DATABASE_URL and EVENTSTORE_URL ` +
        'do not belong together, or the log was lost. Point them at the same deployment or restore the log.',
    );
  }
  const deployment = inLog ?? (await found(store, aggregates, environment));
  if (deployment.environment !== environment) {
    throw new StartupError(
      `The event log belongs to a ${deployment.environment} deployment, but ENVIRONMENT is ${environment}: credits and keys ` +
        'never cross. Set ENVIRONMENT accordingly or use stores of their own.',
    );
  }
  if (inDatabase !== undefined && inDatabase.deploymentId !== deployment.deploymentId) {
    throw new StartupError(
      `The event log belongs to deployment ${deployment.deploymentId}, Postgres to ${inDatabase.deploymentId}: DATABASE_URL and ` +
        'EVENTSTORE_URL do not belong together.',
    );
  }
  if (inLog !== undefined) await refuseLostKeys(store, database, aggregates.categories);
  await database.query('INSERT INTO deployment (deployment_id, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    deployment.deploymentId,
    deployment.environment,
  ]);
  return deployment;
};

const readDatabase = async (database: Database): Promise<Deployment | undefined> => {
  const [row] = await database.query<{ deployment_id: string; environment: Environment }>(
    'SELECT deployment_id, environment FROM deployment',
  );
  return row && { deploymentId: row.deployment_id, environment: row.environment };
};

const readLog = async (store: EventStore): Promise<Deployment | undefined> => {
  const [founded] = await store.read(DEPLOYMENT_STREAM, { maxCount: 1 });
  return founded?.data as Deployment | undefined;
};

/** Two instances may start at once on empty stores. One founds the deployment, and the other reads it. */
const found = async (store: EventStore, aggregates: AggregateStore, environment: Environment): Promise<Deployment> => {
  const deploymentId = newUuid();
  const founded = { id: newUuid(), type: 'DeploymentFounded.v1', data: { deploymentId, environment } } as const;
  const metadata = { requestId: deploymentId, actor: { type: 'system', id: 'start' } } as const;
  try {
    await aggregates.append(deploymentCategory, DEPLOYMENT_STREAM, founded, { metadata, expected: 'no_stream' });
    return { deploymentId, environment };
  } catch (error) {
    const existing = error instanceof WrongExpectedRevision ? await readLog(store) : undefined;
    if (existing === undefined) throw error;
    return existing;
  }
};

const refuseLostKeys = async (store: EventStore, database: Database, categories: CategoryRegistry): Promise<void> => {
  const [keys] = await database.query<{ present: boolean }>('SELECT EXISTS (SELECT FROM data_keys) AS present');
  if (keys?.present === true || !(await holdsSealedFields(store, categories))) return;
  throw new StartupError(
    `The event log holds sealed data, but Postgres holds no data keys to read them. ${RESTORE_STEP}`,
  );
};

const holdsSealedFields = async (store: EventStore, categories: CategoryRegistry): Promise<boolean> => {
  for await (const events of store.readAll({ streamPrefixes: categories.personalPrefixes }))
    if (events.some((event) => categories.sealedFields(event).length > 0)) return true;
  return false;
};
