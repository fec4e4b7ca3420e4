import { type DomainEvent } from './decider.js';

/** Who caused an event; `id` is a keyed hash or an opaque id, never a name or an address. */
export interface Actor {
  readonly type: 'tenant' | 'operator' | 'system';
  readonly id: string;
}

/** What every event carries beside its data. `time` is the appender's clock: information, the order is the log's. */
export interface EventMetadata {
  readonly $correlationId: string;
  readonly $causationId?: string;
  readonly actor: Actor;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly schemaVersion: number;
}

/** What a command is given with, and its events carry in their metadata. */
export interface CommandMetadata {
  /** Of the request, or of that which the work goes back to. */
  readonly requestId: string;
  /** Id of the event that the command reacts to. */
  readonly causationId?: string;
  readonly actor: Actor;
}

/** Of the metadata's own shape; the version of an event's data stands in its type. */
const SCHEMA_VERSION = 1;

/** The metadata of an event that is appended now. */
export const eventMetadata = ({ requestId, causationId, actor }: CommandMetadata, now: Date): EventMetadata => {
  const time = now.toISOString();
  return causationId === undefined
    ? { $correlationId: requestId, actor, time, schemaVersion: SCHEMA_VERSION }
    : { $correlationId: requestId, $causationId: causationId, actor, time, schemaVersion: SCHEMA_VERSION };
};

/** An event on its way into the log. Its id is kept over retries, which makes an append idempotent. */
export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
}

/** An event as the log holds it. `position` is the commit position in the whole log; `revision` its place in its stream. */
export interface StoredEvent<Event extends DomainEvent = DomainEvent> extends NewEvent<Event> {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
  /** When the store recorded it. */
  readonly created: Date;
}

/** A stored event as what its type says it is, told apart by `type` where there are several. */
export type Recorded<Event extends DomainEvent> = Event & Omit<StoredEvent, 'type' | 'data'>;

/** The tenant that a stream name belongs to: `<category>-<tenant>` or `<category>-<tenant>_<id>`. */
export const tenantOfStream = (stream: string): string => {
  const name = stream.slice(stream.indexOf('-') + 1);
  const end = name.indexOf('_');
  return end === -1 ? name : name.slice(0, end);
};
