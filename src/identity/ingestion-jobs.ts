import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type IngestionKey, EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import pMap from 'p-map';
import { type Clock } from '../kernel/clock.js';
import { invariant } from '../kernel/invariant.js';
import { isTenantId } from '../kernel/ids.js';
import { type Job, JobQueue } from '../kernel/jobs.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Worker } from '../platform/queue/worker.js';
import { CLOCK } from '../platform/tokens.js';
import { ProcessIngestion } from './commands.js';
import { Metrics } from '../observability/metrics.js';

export const INGESTION_QUEUE = 'ingestion';

const CONCURRENCY = 16;
/** Tries of one job while a store is down. The job waits in the queue between them. */
const TRIES = { attempts: 3 } as const;
/** Interval of the search for ingestions that the queue lost or did not take, milliseconds. Queued ones do not need it. */
const RECONCILE_INTERVAL_MS = 2_000;
/** Ingestions due for less than this are probably still in the queue, milliseconds. */
const HEAD_START = 3_000;
const MAX_AT_ONCE = 2_000;
/** Ingestions queued between two health checks of the queue. */
const QUEUED_AT_ONCE = 100;

const jobOf = ({ tenantId, ingestionId }: IngestionKey): Job => ({
  id: ingestionId,
  payload: { tenantId, ingestionId },
});

/**
 * Sends accepted ingestions through the queue. Ingestions lost by the queue are found due in the index and queued
 * again.
 */
@Injectable()
export class IngestionJobs {
  private readonly running = new Set<string>();

  constructor(
    private readonly queue: JobQueue,
    private readonly index: EligibilityQueries,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help = 'How long the ingestion that waits longest has been due';
    metrics.storedGauge('ingestions_longest_due_seconds', help, () => index.longestDue(clock.now()));
  }

  /** Never throws. See JobQueue. */
  enqueue(ingestion: IngestionKey): Promise<void> {
    return this.queue.enqueue(INGESTION_QUEUE, jobOf(ingestion), TRIES);
  }

  /** `attempt` makes each retry's job id unique, even while the last try's job has not ended. */
  retry(ingestion: IngestionKey, attempt: bigint, delayMs: number): Promise<void> {
    const { id, payload } = jobOf(ingestion);
    return this.queue.enqueue(INGESTION_QUEUE, { id: `${id}-${attempt}`, payload }, { ...TRIES, delayMs });
  }

  /**
   * Queues due ingestions again. While the queue is unreachable, this process handles them itself. What remains once
   * `stopping` aborts stays due.
   */
  @Periodic({ every: RECONCILE_INTERVAL_MS, role: 'jobs', alone: true })
  async reconcile(stopping?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - HEAD_START);
    const due = await this.index.due(before, MAX_AT_ONCE);
    if (due.length === 0 || (await this.queueAgain(due, stopping))) return;
    const process = async (ingestion: IngestionKey): Promise<{ readonly error: unknown } | undefined> => {
      if (stopping?.aborted === true) return undefined;
      return this.process(jobOf(ingestion)).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
    };
    const outcomes = await pMap(due, process, { concurrency: CONCURRENCY });
    // A failed ingestion is due again. It must not keep the others from their turn.
    const failed = outcomes.find((outcome) => outcome !== undefined);
    if (failed !== undefined) throw failed.error;
  }

  /** False as soon as the queue does not respond. It is then unknown which ingestions it has taken. */
  private async queueAgain(due: readonly IngestionKey[], stopping?: AbortSignal): Promise<boolean> {
    for (let from = 0; from < due.length && stopping?.aborted !== true; from += QUEUED_AT_ONCE) {
      if ((await this.queue.health()) !== 'up') return false;
      await Promise.all(due.slice(from, from + QUEUED_AT_ONCE).map((ingestion) => this.enqueue(ingestion)));
    }
    return (await this.queue.health()) === 'up';
  }

  @Worker({ queue: INGESTION_QUEUE, concurrency: CONCURRENCY })
  async process({ payload }: Job): Promise<void> {
    const { tenantId, ingestionId } = payload;
    invariant(tenantId !== undefined && isTenantId(tenantId) && ingestionId !== undefined, 'a job names its ingestion');
    // A large batch is still due while it is being processed. A second processing would only slow both down.
    if (this.running.has(ingestionId)) return;
    this.running.add(ingestionId);
    try {
      await this.commands.execute(new ProcessIngestion({ tenantId, ingestionId }));
    } finally {
      this.running.delete(ingestionId);
    }
  }
}
