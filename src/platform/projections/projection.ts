import { type StoredEvent } from '../../kernel/events.js';
import { type Copy } from './copy.js';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Where a rebuild can do the same more cheaply. */
  readonly copy?: Copy;
  /** Finds its rows by an index that is not unique; a rebuild makes such indexes late, but before this. Keys it makes unasked. */
  readonly searches?: true;
}

/**
 * A read model. `project` is pure: events in, SQL out; it never reads a clock, never encrypts and gives the same rows
 * however the events are cut into batches (a batch is in log order). Statements name tables without a schema: the
 * runner sets search_path to the live schema or to a rebuild's shadow.
 */
export interface Projection {
  /** Its folder's name under projections/, with underscores in SQL; also the key of its checkpoint. */
  readonly name: string;
  /** Every table it owns, each with a primary key; rebuild compares them row by row. */
  readonly tables: readonly string[];
  /** The text of schema.sql: CREATE TABLE and CREATE INDEX statements without a schema name. */
  readonly schema: string;
  /** Of its rows, `v` and a number; stands beside the checkpoint, so that rows made by other code are recognised. */
  readonly version: string;
  /** Streams whose names begin with one of these reach it, for example 'credits-'. */
  readonly streamPrefixes: readonly string[];
  /** Whether an event may change so many rows that no batch of live rows should hold two of its kind. */
  readonly endsBatch?: (event: StoredEvent) => boolean;
  project(events: readonly StoredEvent[]): readonly Statement[];
}

/** What a projection's queries need. Rows are found in this version's live schema by search_path. */
export abstract class ReadModels {
  /**
   * `name` prepares the statement once a connection. Throws Unavailable where Postgres does not answer in 1.5 s, and where the
   * live rows are another version's.
   */
  abstract query<Row extends object>(statement: Statement & { readonly name?: string }): Promise<Row[]>;

  /** Waits until the projection has committed everything up to `position`, at most `budgetMs`; tells whether it did. */
  abstract waitFor(projection: string, position: bigint, budgetMs: number): Promise<boolean>;

  /** Throws Unavailable unless what the rows say can be believed: nothing that was taken back long ago still stands in them. */
  abstract assertCurrent(projection: string): Promise<void>;
}
