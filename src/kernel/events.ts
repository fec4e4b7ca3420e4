import { type DomainEvent } from './decider.js';

/** The cause of an event. `id` is a keyed hash or an opaque id, never a name or an address. */
export interface Actor {
  readonly type: 'tenant' | 'operator' | 'system';
  readonly id: string;
}

/**
 * The fields that every event carries beside its data. `time` is the appender's clock and only informs: the log sets the order.
 */
export interface EventMetadata {
  readonly $correlationId: string;
  readonly $causationId?: string;
  readonly actor: Actor;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly schemaVersion: number;
}

/** The metadata of a command, which its events carry on. */
export interface CommandMetadata {
  /** The id of the request, or of the request that caused this work. */
  readonly requestId: string;
  /** Id of the event that the command reacts to. */
  readonly causationId?: string;
  readonly actor: Actor;
}

/** The metadata of a command that a tenant's request gives. `actorId`: the key or token that it came with. */
export const tenantMetadata = (request: { readonly requestId: string; readonly actorId: string }): CommandMetadata => ({
  requestId: request.requestId,
  actor: { type: 'tenant', id: request.actorId },
});

/** The version of the metadata's own shape. The version of an event's data is part of its type. */
const SCHEMA_VERSION = 1;

/** The metadata of an event that is appended now. */
export const eventMetadata = ({ requestId, causationId, actor }: CommandMetadata, now: Date): EventMetadata => {
  const time = now.toISOString();
  return causationId === undefined
    ? { $correlationId: requestId, actor, time, schemaVersion: SCHEMA_VERSION }
    : { $correlationId: requestId, $causationId: causationId, actor, time, schemaVersion: SCHEMA_VERSION };
};

/** An event before its append. Every retry uses the same id, which makes the append idempotent. */
export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
}

/** An event as the log holds it. `position` is its commit position in the whole log, `revision` its place in its stream. */
export interface StoredEvent<Event extends DomainEvent = DomainEvent> extends NewEvent<Event> {
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
  /** The time at which the store recorded it. */
  readonly created: Date;
}

/** A stored event with the data that its type names. `type` distinguishes the events of a union. */
export type Recorded<Event extends DomainEvent> = Event & Omit<StoredEvent, 'type' | 'data'>;

/** The tenant that a stream name belongs to: `<category>-<tenant>` or `<category>-<tenant>_<id>`. */
export const tenantOfStream = (stream: string): string => {
  const name = stream.slice(stream.indexOf('-') + 1);
  const end = name.indexOf('_');
  return end === -1 ? name : name.slice(0, end);
};
