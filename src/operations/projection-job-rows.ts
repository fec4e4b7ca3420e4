import { type comparisonToJson } from '../log/project/comparison.js';
import { type RebuildProgress } from '../log/project/rebuild.js';
import { type Queryable } from '../platform/postgres/database.js';

export const JOB_KINDS = ['verify', 'rebuild'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATES = ['running', 'done', 'failed', 'interrupted'] as const;
type JobState = (typeof JOB_STATES)[number];

type JobResult = ReturnType<typeof comparisonToJson>;

export interface ProjectionJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly projections: readonly string[];
  readonly state: JobState;
  readonly events: string;
  readonly position: string | null;
  readonly goal: string | null;
  readonly doing: string | null;
  readonly results: readonly JobResult[];
  readonly error: string | null;
  readonly beganAt: Date;
  readonly endedAt: Date | null;
}

/** Seconds after which a running job that was not seen is gone with its process. Longer than its process tries to note an end. */
const GONE_AFTER = 15;
/** Finished jobs that are kept. */
const KEPT = 50;
const KEPT_DAYS = 30;

/** A running job that was not seen for a while is over with its process. */
const IS_GONE = `state = 'running' AND seen_at < now() - interval '${GONE_AFTER} seconds'`;
/** What a reader may have seen as interrupted stays so. */
const LIVES = `state = 'running' AND seen_at >= now() - interval '${GONE_AFTER} seconds'`;
const COLUMNS = `id, kind, projections, CASE WHEN ${IS_GONE} THEN 'interrupted' ELSE state END AS state, events, position, goal,
  CASE WHEN NOT (${IS_GONE}) THEN doing END AS doing, results, error, began_at AS "beganAt",
  CASE WHEN ${IS_GONE} THEN seen_at ELSE ended_at END AS "endedAt"`;

/** Undefined while another job runs. The same id again is the same job. */
export const beginJob = async (
  database: Queryable,
  { id, kind, projections }: Pick<ProjectionJob, 'id' | 'kind' | 'projections'>,
): Promise<{ readonly isNew: boolean } | undefined> => {
  await database.query(
    `UPDATE projections.jobs SET state = 'interrupted', ended_at = seen_at, doing = NULL WHERE ${IS_GONE}`,
  );
  const begun = await database.query(
    `INSERT INTO projections.jobs (id, kind, projections, state) VALUES ($1, $2, $3, 'running')
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, kind, projections],
  );
  if (begun.length > 0) {
    await database.query(
      `DELETE FROM projections.jobs WHERE began_at < now() - make_interval(days => $2) OR id NOT IN
         (SELECT id FROM projections.jobs ORDER BY began_at DESC LIMIT $1)`,
      [KEPT, KEPT_DAYS],
    );
    return { isNew: true };
  }
  return (await readJob(database, id)) === undefined ? undefined : { isNew: false };
};

export const readJob = async (database: Queryable, id: string): Promise<ProjectionJob | undefined> => {
  const [row] = await database.query<ProjectionJob>(`SELECT ${COLUMNS} FROM projections.jobs WHERE id = $1`, [id]);
  return row;
};

/** The newest first. */
export const readJobs = async (database: Queryable, limit: number): Promise<readonly ProjectionJob[]> => {
  return database.query<ProjectionJob>(
    `SELECT ${COLUMNS} FROM projections.jobs WHERE began_at >= now() - make_interval(days => $2)
     ORDER BY began_at DESC LIMIT $1`,
    [limit, KEPT_DAYS],
    'projection-jobs',
  );
};

export interface JobProgress extends Partial<RebuildProgress> {
  readonly doing: string | null;
}

export const saveProgress = async (
  database: Queryable,
  id: string,
  { events, position, goal, doing }: JobProgress,
): Promise<void> => {
  await database.query(
    `UPDATE projections.jobs SET events = coalesce($2, events), position = coalesce($3, position),
       goal = coalesce($4, goal), doing = $5, seen_at = now() WHERE id = $1 AND ${LIVES}`,
    [id, events ?? null, position ?? null, goal ?? null, doing],
    'projection-job-progress',
  );
};

/** Once, however often it is called. */
export const saveResult = async (database: Queryable, id: string, result: JobResult): Promise<void> => {
  await database.query(
    `UPDATE projections.jobs SET results = array_append(results, $2::json), seen_at = now()
     WHERE id = $1 AND ${LIVES} AND NOT EXISTS (SELECT FROM unnest(results) AS known WHERE known ->> 'projection' = $3)`,
    [id, JSON.stringify(result), result.projection],
  );
};

export type JobOutcome = readonly [state: Exclude<JobState, 'running'>, error: string | null];

export const endJob = async (database: Queryable, id: string, ...[state, error]: JobOutcome): Promise<void> => {
  await database.query(
    `UPDATE projections.jobs SET state = $2, error = $3, doing = NULL, seen_at = now(), ended_at = now() WHERE id = $1 AND ${LIVES}`,
    [id, state, error],
  );
};
