import { setTimeout as pause } from 'node:timers/promises';
import { type Queryable } from '../platform/postgres/database.js';

const RELEASE_AGAIN_MS = 500;
/** Covers more time than an attempt lives. After that the key's age decides. */
const RELEASED_FOR_MS = 50_000;
/** Keys that one statement frees. */
const AT_ONCE = 1_000;

interface Release {
  readonly keyHash: string;
  readonly deductionId: string;
  /** On the monotonic clock. */
  readonly until: number;
  dueAt: number;
  pauseMs: number;
}

/**
 * The keys of attempts that ended without a response while Postgres did not answer. A backend of Postgres may be stalled while others
 * respond, and run an abandoned statement once it goes on. So each release is repeated, with growing pauses once Postgres responds. All
 * of them share one loop and its statements: an outage leaves thousands.
 */
export class Releases {
  private readonly owed = new Map<string, Release>();
  private isRunning = false;

  constructor(private readonly database: Queryable) {}

  add(keyHash: string, deductionId: string): void {
    const now = performance.now();
    const release = { keyHash, deductionId, until: now + RELEASED_FOR_MS, dueAt: now };
    this.owed.set(`${keyHash} ${deductionId}`, { ...release, pauseMs: RELEASE_AGAIN_MS });
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.owed.size > 0) {
      await pause(RELEASE_AGAIN_MS, undefined, { ref: false });
      await this.round(performance.now());
    }
    this.isRunning = false;
  }

  private async round(now: number): Promise<void> {
    for (const [id, { until }] of this.owed) if (until <= now) this.owed.delete(id);
    const due = [...this.owed.values()].filter(({ dueAt }) => dueAt <= now);
    for (let from = 0; from < due.length; from += AT_ONCE) {
      const some = due.slice(from, from + AT_ONCE);
      if (!(await this.free(some))) return;
      for (const release of some) {
        release.pauseMs *= 2;
        release.dueAt = now + release.pauseMs;
      }
    }
  }

  /** Locks the rows in the order of their keys. */
  private free(releases: readonly Release[]): Promise<boolean> {
    return this.database
      .query(
        `WITH wanted AS (
           SELECT held.key_hash FROM idempotency_keys held
           JOIN unnest($1::text[], $2::uuid[]) AS owed (key_hash, deduction_id)
             ON held.key_hash = decode(owed.key_hash, 'hex') AND held.deduction_id = owed.deduction_id
           WHERE held.state IN ('running', 'answered') ORDER BY held.key_hash FOR UPDATE OF held)
         UPDATE idempotency_keys SET state = 'free', status = NULL, answer = NULL
         WHERE key_hash IN (SELECT key_hash FROM wanted)`,
        [releases.map(({ keyHash }) => keyHash), releases.map(({ deductionId }) => deductionId)],
        'idempotency_releases',
      )
      .then(
        () => true,
        () => false,
      );
  }
}
