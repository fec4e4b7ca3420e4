import { setTimeout as sleep } from 'node:timers/promises';
import { ensureSchema } from '../postgres/schema.js';
import { Session } from '../postgres/session.js';
import { type NewStream, type Numbers } from './draft.js';
import { type Write } from './record.js';
import { placeToSql } from './revision.js';

/** Another node serves this database. */
export class LogInUse extends Error {
  override readonly name = 'LogInUse';

  constructor() {
    super('another event store node is already running on this database');
  }
}

const LOCK = 'SELECT pg_try_advisory_lock(1163084363, 1)';
/** Process ids are reused. Together with the time of their start they are unique. */
const NAME_OF = `a.pid || ' ' || a.backend_start`;
const END_HOLDER = `SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE ${NAME_OF} = $1 AND l.locktype = 'advisory' AND l.granted AND l.classid = 1163084363 AND l.objid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const CONNECT_TIMEOUT_MS = 1_000;
const COMMIT_TIMEOUT_MS = 1_000;
const LOCK_RETRY_MS = 100;

const COMMIT = {
  name: 'commit',
  text: `WITH named AS (
      INSERT INTO event_store.streams (id, name) SELECT * FROM unnest($1::bigint[], $2::text[])
    )
    INSERT INTO event_store.writes (position, stream, revision, events, created_at, frames)
    SELECT w.position, w.stream, w.revision, w.events, $3::bigint, substring($4::bytea FROM w.start FOR w.size)
    FROM unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::int[], $9::int[], $10::int[])
      AS w (position, stream, revision, events, start, size)`,
};

const NAME = { name: 'name', text: `SELECT ${NAME_OF} FROM pg_stat_activity a WHERE a.pid = pg_backend_pid()` };

const NUMBERS = {
  name: 'numbers',
  text: `SELECT coalesce((SELECT max(position) FROM event_store.writes), 0), coalesce((SELECT max(id) FROM event_store.streams), 0)`,
};

/**
 * The one session that may write. It holds an advisory lock for as long as it lives. A lost session's commit has either
 * happened or can no longer happen when the next session gets the lock.
 */
export class Owner {
  private constructor(
    private readonly session: Session,
    /** Names the session's process in Postgres. */
    readonly name: string,
  ) {}

  /**
   * Waits up to `patienceMs` for an earlier owner to end, then throws LogInUse. It waits without limit for our own session
   * before this one, named `former`, and counts its patience from the end of that. That session's process may hang on a
   * stalled disk.
   */
  static async take(databaseUrl: string, waitBudgetMs: number, former?: string): Promise<Owner> {
    const session = await Session.open(databaseUrl, CONNECT_TIMEOUT_MS);
    try {
      await session.run('SET synchronous_commit = on', CONNECT_TIMEOUT_MS);
      let deadline = Date.now() + waitBudgetMs;
      while (!(await tryLock(session))) {
        // The former owner may end between the two statements, long after the first deadline.
        if (await endHolder(session, former)) deadline = Date.now() + waitBudgetMs;
        else if (Date.now() >= deadline) throw new LogInUse();
        await sleep(LOCK_RETRY_MS);
      }
      await ensureSchema(session);
      const [row] = await session.query(NAME, [], CONNECT_TIMEOUT_MS);
      return new Owner(session, row?.[0] ?? '');
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get lost(): boolean {
    return this.session.lost;
  }

  /** No loss is reported before the listener is set. */
  set onLost(listener: (error: Error) => void) {
    this.session.onLost = listener;
  }

  /** The next free position and stream id. */
  async numbers(): Promise<Numbers> {
    const [row] = await this.session.query(NUMBERS, [], COMMIT_TIMEOUT_MS);
    return { position: Number(row?.[0]) + 1, streamId: Number(row?.[1]) + 1 };
  }

  /** The writes are durable when it resolves. */
  async commit(writes: readonly Write[], newStreams: readonly NewStream[]): Promise<void> {
    await this.session.query(COMMIT, commitValues(writes, newStreams), COMMIT_TIMEOUT_MS);
  }

  /** Gives up the session and its lock. After a failure its further effects are unknown. */
  abandon(): void {
    this.session.destroy();
  }

  async close(): Promise<void> {
    await this.session.close();
  }
}

/** Asks this Postgres process to end where it holds the lock. Returns true in that case. */
async function endHolder(session: Session, name: string | undefined): Promise<boolean> {
  if (name === undefined) return false;
  return (await session.query({ name: 'end-holder', text: END_HOLDER }, [name], CONNECT_TIMEOUT_MS)).length > 0;
}

async function tryLock(session: Session): Promise<boolean> {
  const [row] = await session.query({ name: 'lock', text: LOCK }, [], CONNECT_TIMEOUT_MS);
  return row?.[0] === 't';
}

function commitValues(writes: readonly Write[], newStreams: readonly NewStream[]): unknown[] {
  const starts: number[] = [];
  let start = 1;
  for (const { frames } of writes) {
    starts.push(start);
    start += frames.length;
  }
  const list = (numbers: readonly (number | string)[]) => `{${numbers.join(',')}}`;
  return [
    list(newStreams.map(({ id }) => id)),
    newStreams.map(({ name }) => name),
    writes[0]?.createdAt ?? 0,
    Buffer.concat(writes.map(({ frames }) => frames)),
    list(writes.map(({ position }) => position)),
    list(writes.map(({ streamId }) => streamId)),
    list(writes.map(({ revision }) => placeToSql(revision))),
    list(writes.map(({ events }) => events)),
    list(starts),
    list(writes.map(({ frames }) => frames.length)),
  ];
}
