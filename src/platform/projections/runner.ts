import { type Clock, systemClock } from '../../kernel/clock.js';
import { type EventStore } from '../eventstore/event-store.js';
import { type Applying } from '../telemetry/tracing.js';
import { CheckpointNotifier } from './checkpoint-notifier.js';
import { disownRowsAhead, prepareSchemas } from './checkpoints.js';
import { ProjectionWorker, ROWS_AHEAD, type ProjectionLog, type ProjectionStatus } from './projection-worker.js';
import { Pause } from './pause.js';
import { type Projection } from './projection.js';
import { ProjectionSession } from './session.js';
import { SharedSubscription } from './shared-subscription.js';

export interface RunnerOptions {
  readonly projections: readonly Projection[];
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  readonly log: ProjectionLog;
  readonly board?: CheckpointNotifier;
  readonly clock?: Clock;
  /** Stands around each batch that is written for the projections that are level with the log. */
  readonly applying?: Applying;
}

/** Creates the missing live schemas. Every process that reads them runs this at its start. Throws Unavailable. */
export const prepareReadModels = async (database: string, projections: readonly Projection[]): Promise<void> => {
  const session = await ProjectionSession.open(database);
  try {
    await session.transaction('projections', () => prepareSchemas(session, projections));
  } finally {
    await session.close();
  }
};

/**
 * Disowns and logs the read models that are ahead of a restored log, so that they are rebuilt. Every start runs it
 * before anything is appended. Throws Unavailable.
 */
export const disownReadModelsAhead = async (options: RunnerOptions): Promise<void> => {
  const session = await ProjectionSession.open(options.database);
  try {
    for (const { name } of options.projections) {
      const position = await disownRowsAhead(session, name, () => options.store.head());
      if (position !== undefined) options.log.warn({ projection: name, position: String(position) }, ROWS_AHEAD);
    }
  } finally {
    await session.close();
  }
};

/**
 * Milliseconds between looks at the head. Two are shorter than the interval of the store's probe, so a look replaces
 * the probe.
 */
const IDLE_CHECK_MS = 225;
/** If the head stays unchanged for this many looks and nobody waits, the looks become half as frequent. */
const STILL_LOOKS = 4;

/**
 * Runs a worker for each projection, and one shared subscription for those that have caught up. Any number of instances
 * may run. Each projection has one leader among them.
 */
export class ProjectionRunner {
  readonly board: CheckpointNotifier;
  private readonly followers: readonly ProjectionWorker[];
  private readonly shared: SharedSubscription;
  private readonly stopping = new AbortController();
  private readonly pause = new Pause(this.stopping.signal);
  private checking: Promise<void> | undefined;
  private headSeen: bigint | undefined;

  constructor(private readonly options: RunnerOptions) {
    this.board = options.board ?? new CheckpointNotifier();
    this.shared = new SharedSubscription({ ...options, board: this.board });
    const common = { clock: systemClock, ...options, board: this.board, shared: this.shared };
    this.followers = options.projections.map((projection) => new ProjectionWorker({ ...common, projection }));
  }

  /** Resolves once the schemas exist and the workers run. Catching up continues in the background. Throws Unavailable. */
  async start(): Promise<void> {
    await prepareReadModels(this.options.database, this.options.projections);
    for (const follower of this.followers) follower.start();
    this.checking = this.checkIdle();
  }

  /** For health and metrics. */
  status(): readonly ProjectionStatus[] {
    return this.followers.map((follower) => follower.status());
  }

  /** The end of the log at the last look. */
  get head(): bigint | undefined {
    return this.headSeen;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.followers.map((follower) => follower.stop()), this.shared.stop()]);
    await this.checking;
  }

  private async checkIdle(): Promise<void> {
    const names = this.options.projections.map(({ name }) => name);
    let still = 0;
    let rests = false;
    while (!this.stopping.signal.aborted) {
      await this.pause.for(IDLE_CHECK_MS);
      rests = !rests && still >= STILL_LOOKS && !this.board.isWanted(names);
      if (rests) continue;
      const before = this.headSeen;
      await this.look();
      still = this.headSeen === before ? still + 1 : 0;
    }
  }

  private async look(): Promise<void> {
    try {
      const head = await this.options.store.head();
      this.headSeen = head;
      if (head !== undefined) await this.shared.confirmIdle(head);
    } catch {
      // The workers' own state shows that a store is unavailable.
    }
  }
}
