import { systemClock } from '../../kernel/clock.js';
import { Follower } from '../follow/follower.js';
import { describeError } from '../../observability/logging.js';
import { type Claim, Leadership } from '../../platform/leadership/leadership.js';
import { type ProjectingOptions } from './projection-recovery.js';
import { CheckpointNotifier } from './checkpoint-notifier.js';
import { disownRowsAhead, prepareSchemas, ROWS_AHEAD } from './checkpoints.js';
import { LiveProjections } from './live-projections.js';
import { type ProjectionStatus } from './member.js';
import { type Projection } from './projection.js';
import { ProjectionSession } from '../../platform/postgres/session.js';

export type RunnerOptions = Omit<ProjectingOptions, 'board' | 'clock'> &
  Partial<Pick<ProjectingOptions, 'board' | 'clock'>>;

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

/** Keeps the rows of all projections up to date. Any number of instances may run: one of them leads. */
export class ProjectionRunner {
  readonly board: CheckpointNotifier;
  private readonly live: LiveProjections;
  private readonly follower: Follower;
  private readonly leadership: Leadership;
  private readonly stopping = new AbortController();
  private making: Promise<void> = Promise.resolve();
  /** The rows of this code are made. Until then it leads only if no one else does. */
  private isMade = false;

  constructor(private readonly options: RunnerOptions) {
    const { store, log, database } = options;
    this.board = options.board ?? new CheckpointNotifier();
    this.live = new LiveProjections({ clock: systemClock, ...options, board: this.board }, () =>
      this.follower.restart(),
    );
    this.leadership = new Leadership({
      database,
      onFault: (error) => log.error({ error: describeError(error) }, 'who projects could not be found out'),
    });
    const rank: Claim['rank'] = (session) => (this.isMade ? this.live.rank(session) : Promise.resolve(0n));
    this.follower = new Follower(this.live, { store, log, leadership: this.leadership, rank });
  }

  /** Resolves once the schemas exist. Catching up continues in the background. Throws Unavailable. */
  async start(): Promise<void> {
    await prepareReadModels(this.options.database, this.options.projections);
    const { signal } = this.stopping;
    this.making = this.live.recovery.rebuildOutdated(this.live.members, signal).then(
      () => void (this.isMade = true),
      (error: unknown) => this.options.log.error({ error: describeError(error) }, 'rows could not be made'),
    );
    this.follower.start();
  }

  /** For health and metrics. */
  status(): readonly ProjectionStatus[] {
    const { state, waiting } = this.follower;
    return this.live.members.map((member) => member.status(state, waiting > 0));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.live.recovery.end();
    await Promise.all([this.making, this.follower.stop()]);
    this.live.recovery.end();
    await this.live.recovery.settled();
    await this.leadership.close();
  }
}
