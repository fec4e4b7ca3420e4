import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Queryable } from '../platform/postgres/database.js';
import { readFailures } from '../log/project/failures.js';
import { type Projection } from '../log/project/projection.js';
import { readVerifications } from '../log/project/verifications.js';
import { readDeadJobs, readDrift, readParked } from './troubles.js';

export interface IncidentSources {
  readonly database: Queryable;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
}

/** What a section of a snapshot holds: positions, versions, times, ids and numbers. */
export type Section = (sources: IncidentSources) => Promise<unknown>;

const lagOf = (head: bigint | undefined, position: string | null): string | null =>
  head === undefined || position === null ? null : String(head - BigInt(position));

interface PlaceRow {
  readonly position: string | null;
}

/** Checkpoints with the lag that each has behind the end of the log. */
const placed = async ({ database, store }: IncidentSources, text: string): Promise<object[]> => {
  const rows = await database.query<PlaceRow>(text);
  const head = await store.head();
  return rows.map((row) => ({ ...row, lag: lagOf(head, row.position) }));
};

const checkpoints: Section = async (sources) => ({
  head: String((await sources.store.head()) ?? 'empty'),
  projections: await placed(
    sources,
    `SELECT projection, slot, version, position, epoch, updated_at::text FROM projections.checkpoints ORDER BY 1, 2`,
  ),
  reactors: await placed(
    sources,
    `SELECT reactor, version, position, updated_at::text FROM reactor_checkpoints ORDER BY reactor`,
  ),
});

const verifications: Section = async ({ database }) =>
  (await readVerifications(database)).map((last) => ({ ...last, position: String(last.position) }));

const drift: Section = ({ database }) => readDrift(database);

const versions: Section = async ({ database, projections }) => ({
  node: process.version,
  projections: Object.fromEntries(projections.map(({ name, version }) => [name, version])),
  seen: await database.query('SELECT projection, version, generation FROM projections.versions ORDER BY 1, 3'),
  postgres: await database.query('SELECT version(), pg_postmaster_start_time() AS started'),
  migrations: await database.query('SELECT name, run_on FROM table_migrations ORDER BY id'),
});

/** The newest of each. Jobs' payloads and errors' messages are left out. */
const errors: Section = async ({ database }) => ({
  projections: await readFailures(database),
  parked: await readParked(database),
  jobs: await readDeadJobs(database),
  webhooks: await database.query(
    'SELECT endpoint_id, failing_since FROM webhook_receivers WHERE failing_since IS NOT NULL ORDER BY 2 LIMIT 100',
  ),
});

const instances: Section = ({ database }) =>
  database.query(`SELECT name, heard_at, now() - heard_at < interval '18 seconds' AS alive FROM leaders ORDER BY name`);

const load: Section = ({ database }) =>
  database.query(
    `SELECT application_name, state, wait_event_type, count(*)::int AS connections, max(now() - state_change)::text AS longest
     FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  );

/** One file each. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  checkpoints,
  verifications,
  drift,
  versions,
  errors,
  instances,
  load,
};
