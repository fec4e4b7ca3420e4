import { type Decider, type DomainEvent } from './decider.js';
import { type Envelope } from './envelope.js';
import { type EventMetadata, type NewEvent, type Recorded } from './events.js';
import { type YEARS_KEPT } from './retention.js';

/** The data key that seals a field: the person's own, one of the tenant's, or that of a webhook endpoint. */
export type SealedUnder = 'subject' | 'texts' | 'audit' | 'endpoint';

/** Paths of the fields that hold envelopes: `reason`, or `records[].personal` for each element of a list. */
export type PersonalField<Data> = {
  [Name in keyof Data & string]-?: NonNullable<Data[Name]> extends Envelope
    ? Name
    : NonNullable<Data[Name]> extends readonly (infer Element)[]
      ? Element extends object
        ? `${Name}[].${PersonalField<Element>}`
        : never
      : never;
}[keyof Data & string];

/** The personal fields of an event: every field that its type seals, no more and no fewer. */
export type EventDefinition<Data> = [PersonalField<Data>] extends [never]
  ? { readonly personal?: never }
  : { readonly personal: Readonly<Record<PersonalField<Data>, SealedUnder>> };

/** Every event by its present type, which ends with its version. */
export type EventDefinitions<Event extends DomainEvent> = {
  readonly [One in Event as One['type']]: EventDefinition<One['data']>;
};

/** Turns an event of an earlier version into one of the next. The chain ends at a present type. */
export interface Upcaster {
  readonly from: string;
  readonly to: string;
  readonly upcast: (data: unknown) => unknown;
}

/** The data has the shape that `From` was stored in. Golden lines test every version ever stored against it. */
export const upcaster = <From extends DomainEvent, To extends DomainEvent>(
  from: From['type'],
  to: To['type'],
  upcast: (data: From['data']) => To['data'],
): Upcaster => ({ from, to, upcast: (data) => upcast(data) });

/** What the registry knows of a category, for any type of event. */
export interface CategoryDescription {
  /** Either streams are named `<name>-…`, or one stream has exactly this name. */
  readonly name: string;
  readonly events: Readonly<Record<string, { readonly personal?: Readonly<Record<string, SealedUnder>> }>>;
  /** For earlier versions; absent if every event is in its first version. */
  readonly upcasters?: readonly Upcaster[];
  /** The retention period of its events. */
  readonly kept: keyof typeof YEARS_KEPT | 'for_good';
}

/** A category of streams that need no decisions. */
export interface LogCategory<Event extends DomainEvent> extends CategoryDescription {
  readonly newEvent: (event: Event, id: string, metadata: EventMetadata) => NewEvent<Event>;
}

/** A decider that may read an event's position in the log and the name of its stream. */
export interface StreamDecider<State, Command, Event extends DomainEvent> {
  readonly initialState: (stream: string) => State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  /** May change `state` in place. Always use the returned value. */
  readonly evolve: (state: State, event: Recorded<Event>) => State;
}

/** How snapshots store the state of a long stream. */
export interface SnapshotFormat<State> {
  /** Must change with the state's shape and with `evolve`. The service ignores a snapshot of another version. */
  readonly version: string;
  readonly encode: (state: State) => unknown;
  /** Given what `encode` returned. */
  decode(kept: unknown, stream: string): State;
  /** Whether a state may be stored as a snapshot; absent means always. */
  readonly isKept?: (state: State) => boolean;
}

/** A category whose streams have a decider. */
export interface Category<
  State,
  Command,
  Event extends DomainEvent,
  Ids extends readonly string[] = readonly string[],
> extends LogCategory<Event> {
  /** The name of the stream of these ids. */
  readonly stream: (...ids: Ids) => string;
  readonly decider: StreamDecider<State, Command, Event>;
  /** For streams that grow long. */
  readonly snapshots?: SnapshotFormat<State>;
}

/** A category whose streams have many concurrent writers. Commands queue, and one append takes as many as fit. */
export interface QueuedCategory<State, Command, Event extends DomainEvent, Id extends string> extends Category<
  State,
  Command,
  Event,
  readonly [Id]
> {
  /** A plain decider: decisions are tried before an event has a position in the stream. */
  readonly decider: Decider<State, Command, Event>;
  readonly queue: {
    /** A copy to try decisions on; cheap for a state of any size. */
    readonly draft: (state: State) => State;
    /** Upper estimate of an event's stored size, bytes. */
    readonly weigh: (event: Event) => number;
  };
}

/** The part of a category that its author writes. */
type DeclaredCategory<Whole extends LogCategory<Event>, Event extends DomainEvent> = Omit<
  Whole,
  'newEvent' | 'events'
> & {
  readonly events: EventDefinitions<Event>;
};

const newEvent = <Event extends DomainEvent>(event: Event, id: string, metadata: EventMetadata): NewEvent<Event> => ({
  id,
  type: event.type,
  data: event.data,
  metadata,
});

export const defineLog = <Event extends DomainEvent>(
  declared: DeclaredCategory<LogCategory<Event>, Event>,
): LogCategory<Event> => ({
  ...declared,
  newEvent,
});

export const defineCategory = <State, Command, Event extends DomainEvent, Ids extends readonly string[]>(
  declared: DeclaredCategory<Category<State, Command, Event, Ids>, Event>,
): Category<State, Command, Event, Ids> => ({ ...declared, newEvent });

export const defineQueuedCategory = <State, Command, Event extends DomainEvent, Id extends string>(
  declared: DeclaredCategory<QueuedCategory<State, Command, Event, Id>, Event>,
): QueuedCategory<State, Command, Event, Id> => ({ ...declared, newEvent });
