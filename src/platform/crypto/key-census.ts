import { Injectable } from '@nestjs/common';
import { EventStore } from '../eventstore/event-store.js';
import { HealthChecks, type PartReport } from '../../observability/health.js';
import { Metrics } from '../../observability/metrics.js';
import { Periodic } from '../periodic/periodic.js';
import { Database } from '../postgres/database.js';
import { FORGOTTEN_WITHIN } from './data-key-shredder.js';
import { LostKeys } from './lost-keys.js';

const POLL_INTERVAL_MS = 10_000;

/** How far the census has come, and when the server began that says so: another one may be an earlier state. */
interface Place {
  readonly position: bigint | undefined;
  readonly server: string;
}

/**
 * Finds the data keys that were lost with a later state of Postgres. A key is committed before the first event that names it. So
 * while the same server runs, none is missing, and no event need be looked at.
 */
@Injectable()
export class KeyCensus {
  private known: Place | undefined;
  /** Until then, on the monotonic clock, processes may seal under keys that they hold in memory and that are lost. */
  private searchesUntil = 0;

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

  @Periodic({ every: POLL_INTERVAL_MS, role: 'jobs', alone: true })
  async look(stopping: AbortSignal = new AbortController().signal): Promise<void> {
    const head = await this.store.head();
    if (head === undefined) return;
    const place = await this.read();
    if (this.mayBeEarlier(place)) this.searchesUntil = performance.now() + FORGOTTEN_WITHIN;
    if (performance.now() < this.searchesUntil) await this.lost.search(place.position, stopping);
    if (stopping.aborted) return;
    await this.database.query(
      'INSERT INTO key_census (position) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET position = $1',
      [head],
    );
    this.known = { ...place, position: head };
  }

  /** Also at the first look, and after another process led. */
  private mayBeEarlier({ position, server }: Place): boolean {
    return this.known === undefined || this.known.server !== server || this.known.position !== position;
  }

  private async read(): Promise<Place> {
    const [row] = await this.database.query<{ position: string | null; server: string }>(
      'SELECT (SELECT position FROM key_census) AS position, pg_postmaster_start_time()::text AS server',
    );
    const { position = null, server = '' } = row ?? {};
    return { position: position === null ? undefined : BigInt(position), server };
  }

  private async state(): Promise<'up' | PartReport> {
    const count = await this.lost.count();
    return count === 0
      ? 'up'
      : { state: 'degraded', note: `${count} data keys are lost: npm run keys -- lost names whose data` };
  }
}
