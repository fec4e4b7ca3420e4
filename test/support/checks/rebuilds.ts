import { projections } from '../../../src/projections.js';
import { GrpcEventStore } from '../../../src/platform/eventstore/grpc-event-store.js';
import { type Projection } from '../../../src/platform/projections/projection.js';
import { Rebuild } from '../../../src/platform/projections/rebuild.js';
import { ProjectionSession } from '../../../src/platform/projections/session.js';

/** The connection strings of a deployment's stores. */
export interface Stores {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
}

const LONGEST = 60_000;

const differencesOf = async (stores: Stores, store: GrpcEventStore, projection: Projection): Promise<string[]> => {
  const session = await ProjectionSession.open(stores.databaseUrl);
  try {
    const rebuild = await Rebuild.begin({ session, store, projection, signal: AbortSignal.timeout(LONGEST) });
    const { comparedAt, tables } = await rebuild.compareWithLive();
    await rebuild.discard();
    if (comparedAt === undefined) return [`6: projection ${projection.name} has read nothing`];
    return tables
      .filter(({ equal }) => !equal)
      .map(({ table, liveRows, rebuiltRows, differences }) => {
        const first = differences.slice(0, 3).map(({ key, kind, columns }) => `${key} ${kind} ${columns.join(' ')}`);
        return `6: ${table} has ${liveRows} rows and its rebuild ${rebuiltRows}: ${first.join('; ')}`;
      });
  } finally {
    session.close();
  }
};

/**
 * The differences that `projections verify` finds in every projection, in words. It compares the live rows with rows rebuilt
 * from position zero (architecture.md section 2, invariant 6). The service may continue to serve.
 */
export const rebuildDifferences = async (stores: Stores): Promise<string[]> => {
  const store = new GrpcEventStore({ connectionString: stores.eventStoreUrl, budgetMs: 10_000 });
  try {
    const wrong: string[] = [];
    for (const projection of projections) wrong.push(...(await differencesOf(stores, store, projection)));
    return wrong;
  } finally {
    await store.close();
  }
};
