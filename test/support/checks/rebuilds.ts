import { projections } from '../../../src/projections.js';
import { GrpcEventStore } from '../../../src/platform/eventstore/grpc-event-store.js';
import { type Projection } from '../../../src/log/project/projection.js';
import { Rebuild } from '../../../src/log/project/rebuild.js';
import { ProjectionSession } from '../../../src/platform/postgres/session.js';

/** The connection strings of a deployment's stores. */
export interface Stores {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
}

/** Milliseconds for each projection. */
const LONGEST = 60_000;

const differencesOf = async (projection: Projection, rebuild: Rebuild): Promise<string[]> => {
  const { comparedAt, tables } = await rebuild.compareWithLive();
  await rebuild.discard();
  if (comparedAt === undefined) return [`projection ${projection.name} has read nothing`];
  return tables
    .filter(({ equal }) => !equal)
    .map(({ table, liveRows, rebuiltRows, differences }) => {
      const first = differences.slice(0, 3).map(({ key, kind, columns }) => `${key} ${kind} ${columns.join(' ')}`);
      return `${table} has ${liveRows} rows and its rebuild ${rebuiltRows}: ${first.join('; ')}`;
    });
};

/**
 * The differences that `projections verify` finds in every projection, in words. It compares the live rows with rows rebuilt
 * from position zero (docs/architecture.md, Invariants). The service may continue to serve. The log is read once for all.
 */
export const rebuildDifferences = async (stores: Stores): Promise<string[]> => {
  const store = new GrpcEventStore({ connectionString: stores.eventStoreUrl, budgetMs: 10_000 });
  const session = await ProjectionSession.open(stores.databaseUrl);
  const signal = AbortSignal.timeout(LONGEST * projections.length);
  try {
    const works: { projection: Projection; rebuild: Rebuild }[] = [];
    for (const projection of projections)
      works.push({ projection, rebuild: await Rebuild.begin({ session, store, projection, signal }) });
    await Rebuild.readTogether(works.map(({ rebuild }) => rebuild));
    const wrong: string[] = [];
    for (const { projection, rebuild } of works) wrong.push(...(await differencesOf(projection, rebuild)));
    return wrong;
  } finally {
    await session.close();
    await store.close();
  }
};
