import { readFailures, readSetAside } from '../log/project/failures.js';
import { type Projection } from '../log/project/projection.js';
import { readVerifications, type Verification } from '../log/project/verifications.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Queryable } from '../platform/postgres/database.js';

/** An event that a projection cannot apply, or goes on without. */
export interface Trouble {
  readonly position: string | null;
  readonly stream: string | null;
  readonly type: string | null;
  readonly cause: string;
  readonly at: Date;
}

/** Where a projection stands. Positions are those of the log. */
export interface ProjectionPlace {
  readonly name: string;
  readonly version: string;
  /** Of the live rows, where other code made them. */
  readonly rowsVersion: string | null;
  readonly position: bigint | null;
  readonly updatedAt: Date | null;
  readonly failure: Trouble | undefined;
  readonly setAside: readonly Trouble[];
  readonly verification: Verification | undefined;
}

export interface ProjectionPlaces {
  readonly head: bigint;
  readonly projections: readonly ProjectionPlace[];
}

interface LiveRow {
  readonly projection: string;
  readonly version: string;
  readonly position: string | null;
  readonly updatedAt: Date | null;
}

const LIVE = `
  SELECT projection, version, position, CASE WHEN isfinite(updated_at) THEN updated_at END AS "updatedAt"
  FROM projections.checkpoints WHERE slot = 'live'`;

const asPosition = (text: string | null = null): bigint | null => (text === null ? null : BigInt(text));

/** Throws Unavailable. */
export const readPlaces = async (
  database: Queryable,
  store: EventStore,
  projections: readonly Projection[],
): Promise<ProjectionPlaces> => {
  const live = await database.query<LiveRow>(LIVE, [], 'projection-places');
  const [failures, aside, verifications] = await Promise.all([
    readFailures(database),
    readSetAside(database),
    readVerifications(database),
  ]);
  // Read after the rows' positions, which it then includes.
  const head = (await store.head()) ?? 0n;
  const places = projections.map(({ name, version }): ProjectionPlace => {
    const row = live.find(({ projection }) => projection === name);
    const failure = failures.find(({ projection }) => projection === name);
    return {
      name,
      version,
      rowsVersion: row?.version ?? null,
      position: asPosition(row?.position),
      updatedAt: row?.updatedAt ?? null,
      failure: failure && { ...failure, at: failure.failedAt },
      setAside: aside.flatMap((one) => (one.projection === name ? [{ ...one, at: one.setAsideAt }] : [])),
      verification: verifications.find(({ projection }) => projection === name),
    };
  });
  return { head, projections: places };
};
