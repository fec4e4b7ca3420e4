import { categories } from '../../src/categories.js';
import { type EventStore } from '../../src/platform/eventstore/event-store.js';
import { openEventStore } from '../../src/boot/open-event-store.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type Deployment } from './load/deployment.js';

/** Runs `work` on the stores of a deployment, within the test's own process, as the command line does in its. */
export const onStoresOf = async <Result>(
  { databaseUrl, env }: Pick<Deployment, 'databaseUrl' | 'env'>,
  searchPath: string,
  work: (stores: { readonly store: EventStore; readonly database: Database }) => Promise<Result>,
): Promise<Result> => {
  const store = openEventStore({ connectionString: env['EVENTSTORE_URL'] ?? '', budgetMs: 10_000 }, categories);
  const database = new Database({ connectionString: databaseUrl, budgetMs: 10_000, searchPath });
  try {
    return await work({ store, database });
  } finally {
    await store.close();
    await database.close();
  }
};
