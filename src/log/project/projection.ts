import { Unavailable } from '../../kernel/unavailable.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type Copy } from './copy.js';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Set if COPY can do the same more cheaply. */
  readonly copy?: Copy;
  /**
   * Set if the statement finds rows by an index that is not unique. A rebuild creates such indexes late, but before
   * this statement. It creates keys without this mark.
   */
  readonly searches?: true;
}

/**
 * A read model. `project` is pure: events in, SQL out. It never reads a clock, never encrypts, and gives the same rows
 * for any batches of the events. A batch is in log order. Statements name tables without a schema: the runner sets
 * search_path to the live schema or to a rebuild's shadow.
 */
export interface Projection {
  /** The name of its folder under projections/, with underscores in SQL. Also the key of its checkpoint. */
  readonly name: string;
  /** Every table it owns, each with a primary key. A rebuild compares them row by row. */
  readonly tables: readonly string[];
  /** The text of schema.sql: CREATE TABLE and CREATE INDEX statements without a schema name. */
  readonly schema: string;
  /** Version of its rows: `v` and a number. The checkpoint stores it, to recognise rows made by other code. */
  readonly version: string;
  /** It receives streams whose names begin with one of these, for example 'credits-'. */
  readonly streamPrefixes: readonly string[];
  /** Whether an event may change very many rows. No batch of live rows holds two such events. */
  readonly endsBatch?: (event: StoredEvent) => boolean;
  project(events: readonly StoredEvent[]): readonly Statement[];
}

/** Queries on one snapshot of all read models. */
export interface ReadModelSnapshot extends Pick<ReadModels, 'query'> {
  /** Commit position that the rows of each projection have reached in it. */
  readonly positions: ReadonlyMap<string, bigint>;
}

/** Queries of a projection. search_path leads to this version's live schema. */
export abstract class ReadModels {
  /**
   * `name` prepares the statement once per connection. Throws Unavailable if Postgres does not answer in 1.5 s, or if
   * the live rows belong to another version.
   */
  abstract query<Row extends object>(statement: Statement & { readonly name?: string }): Promise<Row[]>;

  /** Gives `work` one snapshot of all read models, however long it takes. Throws Unavailable. */
  abstract snapshot<Result>(work: (snapshot: ReadModelSnapshot) => Promise<Result>): Promise<Result>;

  /** Waits at most `budgetMs` until the projection has committed everything up to `position`. Returns whether it did. */
  abstract waitFor(projection: string, position: bigint, budgetMs: number): Promise<boolean>;

  /**
   * Resolves when the projection commits next, where this process writes its rows; after a moment in any case, since
   * another process may write them. Call it before the look that it follows, so that no commit is missed.
   */
  abstract nextCommit(projection: string): Promise<void>;

  /** The same as `waitFor`. Throws Unavailable where the time is over. */
  async reach(projection: string, position: bigint, budgetMs: number): Promise<void> {
    if (!(await this.waitFor(projection, position, budgetMs))) throw new Unavailable('read_models');
  }

  /** Throws Unavailable unless the rows are current. Outdated rows may show what was revoked long ago. */
  abstract assertCurrent(projection: string): Promise<void>;
}
