import { type Readers } from '../postgres/readers.js';
import { type Row, type Statement } from '../postgres/session.js';
import { bytea } from './heads.js';
import { placeToSql, revisionFromSql } from './revision.js';

export interface StoredWrite {
  readonly position: number;
  readonly streamId: number;
  readonly revision: number;
  /** Number of its events. Their revisions and positions are consecutive. */
  readonly events: number;
  readonly frames: Buffer;
}

/** One statement for each size, so that Postgres plans for the right number of rows. */
const ROWS = [1, 10, 100, 500] as const;
const MAX_BYTES = 512 * 1024;
const MAX_INT64 = '9223372036854775807';

/** A page ends after the row that makes it larger than MAX_BYTES. Memory then does not depend on the size of events. */
const page = (name: string, condition: string, key: 'position' | 'revision', direction: 'ASC' | 'DESC') =>
  ROWS.map((rows) => ({
    name: `${name}-${rows}`,
    text: `SELECT position, stream, revision, events, frames FROM (
      SELECT *, sum(length(frames)) OVER (ORDER BY ${key} ${direction}) - length(frames) AS before
      FROM (SELECT * FROM event_store.writes WHERE ${condition} ORDER BY ${key} ${direction} LIMIT ${rows}) candidates
    ) sized WHERE before < ${MAX_BYTES} ORDER BY ${key} ${direction}`,
  }));

const ALL_FORWARDS = page('all-forwards', 'position > $1', 'position', 'ASC');
const ALL_BACKWARDS = page(
  'all-backwards',
  `position - events + 1 < $1 AND position <= coalesce((SELECT min(position) FROM event_store.writes WHERE position >= $1), ${MAX_INT64})`,
  'position',
  'DESC',
);
const STREAM_FORWARDS = page(
  'stream-forwards',
  'stream = $1 AND revision >= $2 AND created_at >= $3',
  'revision',
  'ASC',
);
const STREAM_BACKWARDS = page(
  'stream-backwards',
  `stream = $1 AND created_at >= $3 AND revision - events + 1 <= $2 AND revision <=
    coalesce((SELECT min(revision) FROM event_store.writes WHERE stream = $1 AND revision >= $2), ${MAX_INT64})`,
  'revision',
  'DESC',
);

/**
 * Finds the first revision from $2 to $3 of a stream that was written at or after $4. It is a binary search, since events past
 * their $maxAge may fill millions of rows. The search assumes that rows with a smaller revision are older.
 */
const FIRST_CREATED: Statement = {
  name: 'first-created',
  text: `WITH RECURSIVE search (low, high) AS (
      SELECT $2::bigint, $3::bigint + 1
      UNION ALL
      SELECT CASE WHEN older THEN revision + 1 ELSE low END, CASE WHEN older THEN high ELSE middle END
      FROM (SELECT low, high, low + (high - low) / 2 AS middle FROM search WHERE low < high) halves,
        LATERAL (
          SELECT revision, created_at < $4 AS older FROM event_store.writes
          WHERE stream = $1 AND revision >= middle ORDER BY revision LIMIT 1
        ) row_there
    ) SELECT max(low) FROM search`,
};

export interface PageRequest {
  /** Number of rows that are enough. */
  readonly rows?: number;
  /** Aborts when the page is no longer needed. The page is then rejected. */
  readonly signal?: AbortSignal;
}

/** Pages of rows with the requested events. The first row of a page may also hold events outside the range. */
export class Pages {
  constructor(private readonly readers: Pick<Readers, 'query'>) {}

  /** Rows with events behind this position, oldest first. */
  allAfter(position: number, request?: PageRequest): Promise<StoredWrite[]> {
    return this.query(ALL_FORWARDS, [placeToSql(position)], request);
  }

  /** Rows with events before this position, newest first. */
  allBefore(position: number, request?: PageRequest): Promise<StoredWrite[]> {
    return this.query(ALL_BACKWARDS, [placeToSql(position)], request);
  }

  /** Rows with events of this revision and later ones, written at or after `createdAt`. */
  streamFrom(streamId: number, revision: number, createdAt = 0, request?: PageRequest): Promise<StoredWrite[]> {
    return this.query(STREAM_FORWARDS, [streamId, placeToSql(revision), createdAt], request);
  }

  /** Rows with events of this revision and earlier ones, newest first, written at or after `createdAt`. */
  streamUpTo(streamId: number, revision: number, createdAt = 0, request?: PageRequest): Promise<StoredWrite[]> {
    return this.query(STREAM_BACKWARDS, [streamId, placeToSql(revision), createdAt], request);
  }

  /** The first revision of `from` to `last` that was written at or after `createdAt`. `last` + 1 where there is none. */
  async firstCreated(streamId: number, from: number, last: number, createdAt: number): Promise<number> {
    const [row] = await this.readers.query(FIRST_CREATED, [streamId, from, last, createdAt]);
    return Number(row?.[0]);
  }

  private async query(
    statements: readonly Statement[],
    values: readonly unknown[],
    { rows = Number.POSITIVE_INFINITY, signal }: PageRequest = {},
  ): Promise<StoredWrite[]> {
    const fitting = statements[ROWS.findIndex((size) => size >= rows)] ?? statements.at(-1);
    if (fitting === undefined) throw new Error('there is no statement for a page');
    return (await this.readers.query(fitting, values, signal)).map(storedWrite);
  }
}

function storedWrite([position, stream, revision, events, frames]: Row): StoredWrite {
  return {
    position: Number(position),
    streamId: Number(stream),
    revision: revisionFromSql(revision ?? ''),
    events: Number(events),
    frames: bytea(frames ?? ''),
  };
}
