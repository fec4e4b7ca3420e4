import { type Metrics } from '../../observability/metrics.js';
import { type Queryable } from '../../platform/postgres/database.js';
import { type TableComparison } from './compare.js';

/** What a comparison of a projection's rows with rows made anew found. */
export interface Verification {
  readonly projection: string;
  readonly verifiedAt: Date;
  /** Commit position at which the rows were compared. */
  readonly position: bigint;
  readonly events: number;
  readonly seconds: number;
  readonly differingTables: number;
  readonly differingRows: number;
}

/** Rows that differ, of a table that does. Of one that cannot be compared row by row it is the difference of the counts. */
export const differingRowsOf = ({ differing, liveRows, rebuiltRows }: TableComparison): number =>
  Math.max(1, differing ?? Math.abs(liveRows - rebuiltRows));

/** Replaces the last one of this projection. */
export const saveVerification = async (
  database: Queryable,
  verification: Omit<Verification, 'verifiedAt'>,
): Promise<void> => {
  const { projection, position, events, seconds, differingTables, differingRows } = verification;
  await database.query(
    `INSERT INTO projections.verifications
       (projection, verified_at, position, events, seconds, differing_tables, differing_rows)
     VALUES ($1, now(), $2, $3, $4, $5, $6)
     ON CONFLICT (projection) DO UPDATE SET verified_at = excluded.verified_at, position = excluded.position,
       events = excluded.events, seconds = excluded.seconds, differing_tables = excluded.differing_tables,
       differing_rows = excluded.differing_rows`,
    [projection, position, events, seconds, differingTables, differingRows],
  );
};

/** The rows that were compared are gone. */
export const forgetVerification = async (database: Queryable, projection: string): Promise<void> => {
  await database.query('DELETE FROM projections.verifications WHERE projection = $1', [projection]);
};

/** The last one of each projection that was ever compared. */
export const readVerifications = async (database: Queryable): Promise<readonly Verification[]> => {
  const rows = await database.query<{ [Name in keyof Verification]: Verification[Name] extends Date ? Date : string }>(
    `SELECT projection, verified_at AS "verifiedAt", position, events, seconds, differing_tables AS "differingTables",
       differing_rows AS "differingRows" FROM projections.verifications ORDER BY projection`,
    [],
    'verifications',
  );
  return rows.map((row) => ({
    projection: row.projection,
    verifiedAt: row.verifiedAt,
    position: BigInt(row.position),
    events: Number(row.events),
    seconds: Number(row.seconds),
    differingTables: Number(row.differingTables),
    differingRows: Number(row.differingRows),
  }));
};

const MEASURES = [
  [
    'projection_verified_timestamp_seconds',
    'When the rows were last compared with rows made anew',
    (last) => last.verifiedAt.getTime() / 1_000,
  ],
  ['projection_verified_position', 'Commit position of that comparison', (last) => Number(last.position)],
  ['projection_verified_differing_rows', 'Rows that differed in that comparison', (last) => last.differingRows],
] as const satisfies readonly (readonly [string, string, (last: Verification) => number])[];

/** The last verification of each projection. While Postgres is away the earlier values stay. */
export const observeVerifications = (database: Queryable, metrics: Metrics): void => {
  for (const [name, help, read] of MEASURES) {
    metrics.storedGauges(name, help, 'projection', async () => {
      const verifications = await readVerifications(database);
      return new Map(verifications.map((last) => [last.projection, read(last)]));
    });
  }
};
