import { type PartState } from '../../observability/health.js';
import { type Queryable } from '../../platform/postgres/database.js';
import { type Reading } from './part.js';

const MINUTES = 60;
const MINUTE_MS = 60_000;

export interface KeptPart {
  readonly status: PartState;
  readonly since: Date;
  /** Values of the 59 minutes before this one, the oldest first. */
  readonly minutes: readonly (number | null)[];
}

interface KeptRow extends KeptPart {
  readonly name: string;
  readonly notedAt: Date;
}

/** Minutes between two notes of which none was taken. */
const GAP = `greatest(0, least(${MINUTES}, round(extract(epoch FROM excluded.noted_at - kept.noted_at) / 60)::int - 1))`;

const KEEP = `
  INSERT INTO watched_parts AS kept (name, status, since, minutes, noted_at)
  SELECT name, status, $4, ARRAY[value], $4 FROM unnest($1::text[], $2::text[], $3::float8[]) AS read (name, status, value)
  ON CONFLICT (name) DO UPDATE SET
    status = excluded.status,
    since = CASE WHEN kept.status = excluded.status THEN kept.since ELSE excluded.since END,
    minutes = (SELECT minutes[greatest(1, cardinality(minutes) - ${MINUTES - 1}):] FROM (
      SELECT kept.minutes || array_fill(NULL::float8, ARRAY[${GAP}]) || excluded.minutes AS minutes) AS whole),
    noted_at = excluded.noted_at`;

export const keepMinute = async (
  database: Queryable,
  parts: readonly ({ readonly name: string } & Reading)[],
  now: Date,
): Promise<void> => {
  const columns = [parts.map(({ name }) => name), parts.map(({ status }) => status), parts.map(({ value }) => value)];
  await database.query(KEEP, [...columns, now]);
  await database.query('DELETE FROM watched_parts WHERE noted_at < $1', [
    new Date(now.getTime() - MINUTES * MINUTE_MS),
  ]);
};

const blanks = (length: number): readonly null[] => Array.from({ length }, () => null);

/** By name, of the last hour. */
export const readKept = async (database: Queryable, now: Date): Promise<ReadonlyMap<string, KeptPart>> => {
  const rows = await database.query<KeptRow>(
    'SELECT name, status, since, minutes, noted_at AS "notedAt" FROM watched_parts WHERE noted_at > $1',
    [new Date(now.getTime() - MINUTES * MINUTE_MS)],
  );
  return new Map(
    rows.map(({ name, status, since, minutes, notedAt }) => {
      const missed = Math.max(0, Math.floor((now.getTime() - notedAt.getTime()) / MINUTE_MS) - 1);
      const known = [...minutes, ...blanks(missed)].slice(1 - MINUTES);
      return [name, { status, since, minutes: [...blanks(MINUTES - 1 - known.length), ...known] }];
    }),
  );
};
