/** An event before its append. Every retry uses the same id, which makes the append idempotent. */
export interface NewEvent {
  /** A UUID. */
  readonly id: string;
  readonly type: string;
  /** Stored as JSON, as the metadata is. */
  readonly data: unknown;
  readonly metadata: object;
}

/**
 * An event as the log holds it. `position` is its commit position in the whole log, `revision` its place in its stream. Data
 * and metadata are what their JSON says, or bytes where they are none.
 */
export interface StoredEvent extends Omit<NewEvent, 'metadata'> {
  readonly metadata: unknown;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
  /** The time at which the store recorded it. */
  readonly created: Date;
}

/** An event as the store holds it. `data` and `metadata` are views of the message that brought it. */
export interface LogRecord {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  /** Commit position. */
  readonly position: bigint;
  readonly type: string;
  readonly created: Date;
  readonly isJson: boolean;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

/** The store cannot be reached, or did not answer within its budget. What it was asked for may have happened. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(options?: ErrorOptions) {
    super('the event store is unavailable', options);
  }
}
