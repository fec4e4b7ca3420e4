import { Inject, Injectable } from '@nestjs/common';
import { Attempts } from '../kernel/attempts.js';
import { type Clock } from '../kernel/clock.js';
import { type Recorded } from '../kernel/events.js';
import { deriveUuid, newUuid } from '../kernel/ids.js';
import { type Job, JobQueue } from '../kernel/jobs.js';
import { utcDay } from '../kernel/retention.js';
import { type Config } from '../platform/config/config.js';
import { destroyOldAnswerKeys } from '../platform/crypto/response-keys.js';
import { destroyOldAuditKeys } from '../platform/crypto/tenant-keys.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore, WrongExpectedRevision } from '../platform/eventstore/event-store.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Worker } from '../platform/queue/worker.js';
import { Database } from '../platform/postgres/database.js';
import { forgetFreedPages } from '../platform/postgres/maintenance.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { AUDIT_STREAM_PREFIX } from './retention.process.js';
import { turnOf } from './domain/purge-run.js';
import { purgesCategory } from './domain/retention.category.js';
import { type PurgeRunEvent, PURGES_STREAM } from './domain/retention.events.js';
import { LogPurge } from './log-purge.js';

export const RETENTION_QUEUE = 'retention';

const RUN_NAMESPACE = 'c1a0a6b2-51c4-4a0e-9c52-0b7a1b0f7d42';
/** Tables that held personal data or keys to it, and whose rows are deleted. */
const SENSITIVE_TABLES = [
  'data_keys',
  'idempotency_keys',
  'identities',
  'attestations',
  'audit_entries',
  'credit_transactions',
  'snapshots',
  'announcements',
];

const jobOf = (day: string): Job => ({ id: `retention-${day}`, payload: { day } });

/** Purges all due data once per UTC day, on one instance. A later check detects a lost run and repeats it. */
@Injectable()
export class RetentionJobs {
  constructor(
    private readonly queue: JobQueue,
    private readonly store: EventStore,
    private readonly aggregates: AggregateStore,
    private readonly database: Database,
    private readonly purge: LogPurge,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Queues the day's run until it is done. If the queue is unreachable, this process runs it itself. */
  @Periodic({ every: ({ erasure }) => erasure.purgeCheckEvery, role: 'jobs', alone: true })
  async reconcile(): Promise<void> {
    const last = await this.lastRun();
    const now = this.clock.now();
    if (turnOf(utcDay(now), now, last) !== 'free') return;
    if ((await this.queue.health()) === 'up') await this.queue.enqueue(RETENTION_QUEUE, jobOf(utcDay(now)));
    else await this.run();
  }

  /** Runs the present day's purge, unless it is done or another instance runs it. May be repeated. */
  @Worker({ queue: RETENTION_QUEUE, concurrency: 1 })
  async run(): Promise<void> {
    const last = await this.lastRun();
    const now = this.clock.now();
    const day = utcDay(now);
    if (turnOf(day, now, last) !== 'free' || !(await this.take(day, last))) return;
    const attempts = new Attempts();
    await attempts.make(() => this.purge.run());
    const keptSince = this.aggregates.categories.keptSince(AUDIT_STREAM_PREFIX, now);
    // Keys past their limit are destroyed even if their sealed data could not be purged yet.
    await attempts.make(() => destroyOldAnswerKeys(this.database, now));
    await attempts.make(() => destroyOldAuditKeys(this.database, keptSince, now));
    await attempts.make(() => this.cleanUp());
    attempts.end();
    const data = { day, completedAt: this.clock.now().toISOString() };
    await this.record({ type: 'PurgeRunCompleted.v1', data }, deriveUuid(RUN_NAMESPACE, day), 'any');
  }

  /** False if another instance was first. */
  private async take(day: string, last: Recorded<PurgeRunEvent> | undefined): Promise<boolean> {
    const data = { day, startedAt: this.clock.now().toISOString() };
    try {
      await this.record({ type: 'PurgeRunStarted.v1', data }, newUuid(), last?.revision ?? 'no_stream');
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return false;
      throw error;
    }
  }

  /** Overwrites or releases the space of deleted rows. Steps that Postgres refuses are left to its operators. */
  private async cleanUp(): Promise<void> {
    const own = this.config.databaseUrl === undefined;
    const refused = await forgetFreedPages(this.database, SENSITIVE_TABLES, { ownServer: own });
    for (const { step, error } of refused) {
      this.logger.warn({ step, error: describeError(error) }, 'Postgres did not let go of freed space');
    }
  }

  private async lastRun(): Promise<Recorded<PurgeRunEvent> | undefined> {
    const [last] = await this.store.read(PURGES_STREAM, { direction: 'backwards', maxCount: 1 });
    return last as Recorded<PurgeRunEvent> | undefined;
  }

  private async record(event: PurgeRunEvent, id: string, expected: bigint | 'no_stream' | 'any'): Promise<void> {
    const metadata = { requestId: id, actor: { type: 'system', id: 'retention' } } as const;
    await this.aggregates.append(purgesCategory, PURGES_STREAM, { id, ...event }, { metadata, expected });
  }
}
