import { Injectable } from '@nestjs/common';
import { EventStore } from '../eventstore/event-store.js';
import { HealthChecks, type PartReport } from '../http/health.js';
import { Metrics } from '../http/metrics.js';
import { Periodic } from '../periodic/periodic.js';
import { Database } from '../postgres/database.js';
import { LostKeys } from './lost-keys.js';

const LOOK_EVERY = 10_000;

/**
 * Notices that Postgres went back to an earlier state, by a restore or a failover, and finds the data keys that were lost with the
 * later one. A key is committed before the first event that names it. So while Postgres keeps what it committed, none is missing,
 * and no event need be looked at.
 */
@Injectable()
export class KeyCensus {
  /** Up to where this process knows all keys to be here or noted. */
  private seen: bigint | undefined;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly lost: LostKeys,
    health: HealthChecks,
    metrics: Metrics,
  ) {
    health.register('data_keys', false, () => this.state());
    metrics.storedGauge('data_keys_lost', 'Data keys that the log names and that were lost with a database', () =>
      lost.count(),
    );
  }

  @Periodic({ every: LOOK_EVERY, role: 'jobs', alone: true })
  async look(stopping: AbortSignal = new AbortController().signal): Promise<void> {
    const head = await this.store.head();
    if (head === undefined) return;
    const [row] = await this.database.query<{ position: string }>('SELECT position FROM key_census');
    const reached = row && BigInt(row.position);
    if (this.seen === undefined || reached === undefined || reached < this.seen) {
      await this.lost.search(reached, stopping);
      if (stopping.aborted) return;
    }
    await this.database.query(
      'INSERT INTO key_census (position) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET position = $1',
      [head],
    );
    this.seen = head;
  }

  private async state(): Promise<'up' | PartReport> {
    const count = await this.lost.count();
    return count === 0
      ? 'up'
      : { state: 'degraded', note: `${count} data keys are lost: npm run keys -- lost names whose data` };
  }
}
