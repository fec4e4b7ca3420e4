import { pause } from '../kernel/pause.js';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { completesWithin } from '../kernel/completes-within.js';
import { refuse } from '../kernel/rejection.js';
import { retryWhileUnavailable } from '../kernel/retry-while-unavailable.js';
import { type Comparison, compareProjections, comparisonToJson } from '../log/project/comparison.js';
import { IdleThrottle } from '../log/project/idle-throttle.js';
import { type Projection } from '../log/project/projection.js';
import { registeredProjections } from '../log/project/projections.module.js';
import { type RebuildProgress, type RebuildStage } from '../log/project/rebuild.js';
import { ProjectionSession } from '../platform/postgres/session.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { Database } from '../platform/postgres/database.js';
import { STORE_ADDRESSES, type StoreAddresses } from '../platform/tokens.js';
import {
  beginJob,
  endJob,
  type JobKind,
  type JobOutcome,
  type JobProgress,
  type ProjectionJob,
  readJob,
  readJobs,
  saveProgress,
  saveResult,
} from './projection-job-rows.js';

/** Milliseconds that a stop waits for the statement under way. */
const STOP_WITHIN = 10_000;
/** Milliseconds in which a result of a job, and its end, have to be recorded. */
const TOLD_WITHIN = 10_000;
/** Milliseconds between two notes of a job's progress. */
const NOTE_INTERVAL_MS = 500;

const describeStage = (projection: string, stage: RebuildStage): string =>
  stage.doing === 'comparing'
    ? `comparing ${projection}`
    : `making indexes of ${projection}, ${stage.number} of ${stage.of}`;

/** Verifies and rebuilds projections in the background, one job at a time in the whole deployment. */
@Injectable()
export class ProjectionJobs implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly modules: ModulesContainer,
    @Inject(STORE_ADDRESSES) private readonly addresses: StoreAddresses,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** All, sorted by name. */
  get projections(): readonly Projection[] {
    return registeredProjections(this.modules);
  }

  find(id: string): Promise<ProjectionJob | undefined> {
    return readJob(this.database, id);
  }

  newest(limit: number): Promise<readonly ProjectionJob[]> {
    return readJobs(this.database, limit);
  }

  /** Throws a Rejection: projection_job_running. */
  async begin(id: string, kind: JobKind, projections: readonly Projection[]): Promise<ProjectionJob> {
    const begun = await beginJob(this.database, { id, kind, projections: projections.map(({ name }) => name) });
    if (begun === undefined) throw refuse('projection_job_running');
    if (begun.isNew) this.running = this.work(id, kind, projections);
    return (await this.find(id)) as ProjectionJob;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await completesWithin(STOP_WITHIN, this.running).catch(() => undefined);
  }

  private async work(id: string, kind: JobKind, projections: readonly Projection[]): Promise<void> {
    try {
      await this.compare(id, kind, projections);
      await this.end(id, 'done', null);
    } catch (error) {
      const state = this.stopping.signal.aborted ? 'interrupted' : 'failed';
      this.logger[state === 'failed' ? 'error' : 'info'](
        { job: id, projections: projections.map(({ name }) => name), error: describeError(error) },
        `projections were not ${kind === 'verify' ? 'verified' : 'rebuilt'}`,
      );
      const cause = error instanceof Error ? error.name : typeof error;
      await this.end(id, state, state === 'failed' ? cause : null).catch(() => undefined);
    }
  }

  /** What was done is recorded even if Postgres is away for a moment. Otherwise the job counts as interrupted. */
  private end(id: string, ...outcome: JobOutcome): Promise<void> {
    return retryWhileUnavailable(() => endJob(this.database, id, ...outcome), TOLD_WITHIN);
  }

  private async compare(id: string, kind: JobKind, projections: readonly Projection[]): Promise<void> {
    const { signal } = this.stopping;
    const session = await ProjectionSession.open(this.addresses.databaseUrl, 'projection-jobs');
    let progress: JobProgress = { doing: null };
    const saves: Promise<void>[] = [];
    const noting = setInterval(() => {
      void saveProgress(this.database, id, progress).catch(() => undefined);
    }, NOTE_INTERVAL_MS);
    const pace = new IdleThrottle();
    try {
      await compareProjections(
        {
          ...{ session, store: this.store, signal },
          outcome: kind === 'verify' ? 'discard' : 'swap',
          rest: (took) => pause(pace.restAfter(took), signal),
          onProgress: (read: RebuildProgress) => (progress = { ...read, doing: null }),
          onStage: (projection, stage) => (progress = { ...progress, doing: describeStage(projection, stage) }),
          onCompared: (comparison: Comparison) => {
            const result = comparisonToJson(comparison, { shortKeys: true });
            const saved = retryWhileUnavailable(() => saveResult(this.database, id, result), TOLD_WITHIN);
            // It is awaited once all are compared.
            saved.catch(() => undefined);
            saves.push(saved);
          },
        },
        projections,
      );
      await Promise.all(saves);
      await saveProgress(this.database, id, { ...progress, doing: null });
    } finally {
      clearInterval(noting);
      await Promise.allSettled(saves);
      await session.close();
    }
  }
}
