import { type Decider, type DomainEvent } from './decider.js';
import { type Envelope } from './envelope.js';
import { type EventMetadata, type NewEvent, type Recorded } from './events.js';
import { type YEARS_KEPT } from './retention.js';

/** Whose data key a field is sealed under: the person's own, or one of the tenant's. */
export type SealedUnder = 'subject' | 'texts' | 'audit';

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

/** What is personal in an event: every field that its type seals, no more and no fewer. */
export type EventDefinition<Data> = [PersonalField<Data>] extends [never]
  ? { readonly personal?: never }
  : { readonly personal: Readonly<Record<PersonalField<Data>, SealedUnder>> };

/** Every event by its present type, which ends with its version. */
export type EventDefinitions<Event extends DomainEvent> = {
  readonly [One in Event as One['type']]: EventDefinition<One['data']>;
};

/** Makes an event of an earlier version one of the next; the chain ends at a present type. */
export interface Upcaster {
  readonly from: string;
  readonly to: string;
  readonly upcast: (data: unknown) => unknown;
}

/** The data is what `From` was stored as: golden lines hold every version ever stored to it. */
export const upcaster = <From extends DomainEvent, To extends DomainEvent>(
  from: From['type'],
  to: To['type'],
  upcast: (data: From['data']) => To['data'],
): Upcaster => ({ from, to, upcast: (data) => upcast(data) });

/** What the registry knows of a category, whatever its events are. */
export interface CategoryDescription {
  /** Streams are `<name>-…`, or there is one stream of just this name. */
  readonly name: string;
  readonly events: Readonly<Record<string, { readonly personal?: Readonly<Record<string, SealedUnder>> }>>;
  /** Of earlier versions; none where every event is in its first. */
  readonly upcasters?: readonly Upcaster[];
  /** Which of the periods its events are kept for. */
  readonly kept: keyof typeof YEARS_KEPT | 'for_good';
}

/** A category of streams that need no decisions. */
export interface LogCategory<Event extends DomainEvent> extends CategoryDescription {
  readonly newEvent: (event: Event, id: string, metadata: EventMetadata) => NewEvent<Event>;
}

/** A decider that may heed where its events stand, and whose stream it is. */
export interface StreamDecider<State, Command, Event extends DomainEvent> {
  readonly initialState: (stream: string) => State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  /** May change `state` in place; always use the returned value. */
  readonly evolve: (state: State, event: Recorded<Event>) => State;
}

/** How a state is kept beside a long stream. */
export interface SnapshotFormat<State> {
  /** Changes with the state's shape and with `evolve`: a snapshot of another version is ignored. */
  readonly version: string;
  readonly encode: (state: State) => unknown;
  readonly decode: (kept: never, stream: string) => State;
  /** Whether a snapshot may be made of it; absent: of any. */
  readonly isKept?: (state: State) => boolean;
}

/** A category of streams that are decided on. */
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

/** A category whose streams many write at once: commands queue, and one append takes as many as fit. */
export interface QueuedCategory<State, Command, Event extends DomainEvent, Id extends string> extends Category<
  State,
  Command,
  Event,
  readonly [Id]
> {
  /** Decisions are tried before anything has a place in the stream. */
  readonly decider: Decider<State, Command, Event>;
  readonly queue: {
    /** A copy to try decisions on, cheap whatever the state's size. */
    readonly draft: (state: State) => State;
    /** Upper estimate of an event's stored size, bytes. */
    readonly weigh: (event: Event) => number;
  };
}

/** What its author says of a category. */
type Said<Whole extends LogCategory<Event>, Event extends DomainEvent> = Omit<Whole, 'newEvent' | 'events'> & {
  readonly events: EventDefinitions<Event>;
};

const newEvent = <Event extends DomainEvent>(event: Event, id: string, metadata: EventMetadata): NewEvent<Event> => ({
  id,
  type: event.type,
  data: event.data,
  metadata,
});

export const defineLog = <Event extends DomainEvent>(said: Said<LogCategory<Event>, Event>): LogCategory<Event> => ({
  ...said,
  newEvent,
});

export const defineCategory = <State, Command, Event extends DomainEvent, Ids extends readonly string[]>(
  said: Said<Category<State, Command, Event, Ids>, Event>,
): Category<State, Command, Event, Ids> => ({ ...said, newEvent });

export const defineQueuedCategory = <State, Command, Event extends DomainEvent, Id extends string>(
  said: Said<QueuedCategory<State, Command, Event, Id>, Event>,
): QueuedCategory<State, Command, Event, Id> => ({ ...said, newEvent });
