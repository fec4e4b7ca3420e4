import { isMissing } from '../../platform/postgres/sql-states.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type Database, type Queryable } from '../../platform/postgres/database.js';
import { CheckpointNotifier } from './checkpoint-notifier.js';
import { readCheckpoint, readPositions, schemaOf } from './checkpoints.js';
import { type Projection, ReadModels, type ReadModelSnapshot, type Statement } from './projection.js';
import { type ReadModelStates, ReadModelWatch } from './read-model-states.js';

const POLL_MS = 25;

/** For DatabaseOptions.searchPath: every live schema of this version. */
export const readModelSearchPath = (projections: readonly Projection[]): string =>
  projections.map((projection) => schemaOf(projection, 'live')).join(',');

export interface ReadModelOptions {
  /** Looks up tables in the live schemas (readModelSearchPath). */
  readonly database: Database;
  readonly store: Pick<EventStore, 'head'>;
  readonly projections: readonly Projection[];
  /** The notifier of this process's runner. */
  readonly board?: CheckpointNotifier;
}

const queryThrough = async <Row extends object>(
  database: Queryable,
  { text, values, name }: Statement & { readonly name?: string },
): Promise<Row[]> => {
  try {
    return await database.query<Row>(text, values, name);
  } catch (error) {
    // The live rows belong to another version.
    throw isMissing(error) ? new Unavailable('read_models', { cause: error }) : error;
  }
};

export class PostgresReadModels extends ReadModels {
  /** One read of a checkpoint serves all callers that wait for that projection. */
  private readonly looking = new Map<string, Promise<bigint | undefined>>();
  private readonly database: Database;
  private readonly board: CheckpointNotifier;
  private readonly watch: ReadModelWatch;

  constructor({ database, store, projections, board = new CheckpointNotifier() }: ReadModelOptions) {
    super();
    this.database = database;
    this.board = board;
    this.watch = new ReadModelWatch({ database, projections, headOfLog: () => store.head() });
  }

  query<Row extends object>(statement: Statement & { readonly name?: string }): Promise<Row[]> {
    return queryThrough(this.database, statement);
  }

  async snapshot<Result>(work: (snapshot: ReadModelSnapshot) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await transaction.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const positions = await readPositions(transaction);
      return work({ positions, query: (statement) => queryThrough(transaction, statement) });
    });
  }

  async waitFor(projection: string, position: bigint, budgetMs: number): Promise<boolean> {
    const deadline = performance.now() + budgetMs;
    const reached = (at: bigint | undefined): boolean => at !== undefined && at >= position;
    for (;;) {
      if (reached(this.board.position(projection)) || reached(await this.look(projection))) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await this.board.nextCommit(projection, Math.min(POLL_MS, left));
    }
  }

  nextCommit(projection: string): Promise<void> {
    return this.board.nextCommit(projection, POLL_MS);
  }

  async assertCurrent(projection: string): Promise<void> {
    const state = (await this.watch.states()).get(projection);
    if (state !== 'current') throw new Unavailable('read_models', { cause: new Error(`${projection} is ${state}`) });
  }

  /** For readiness; at most a quarter of a second old. Throws Unavailable. */
  states(): Promise<ReadModelStates> {
    return this.watch.states();
  }

  private look(projection: string): Promise<bigint | undefined> {
    const present = this.looking.get(projection);
    if (present !== undefined) return present;
    const look = readCheckpoint(this.database, projection)
      .then((checkpoint) => checkpoint?.position)
      .finally(() => this.looking.delete(projection));
    this.looking.set(projection, look);
    return look;
  }
}
