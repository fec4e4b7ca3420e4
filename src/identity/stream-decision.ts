import { type Clock } from '../kernel/clock.js';
import { type Decider, type DomainEvent } from '../kernel/decider.js';
import { type Actor, type NewEvent, type StoredEvent } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type EventStore, WrongExpectedRevision } from '../platform/eventstore/event-store.js';

/** What a change is done for: carried into the metadata of its events. */
export interface Cause {
  /** The request's id, or that of the request which the work goes back to. */
  readonly requestId: string;
  /** The event that it reacts to. */
  readonly eventId?: string;
  readonly actor: Actor;
}

/** A stream as it was read: its state and the revision that the state stands for. */
export interface Loaded<State> {
  readonly state: State;
  readonly revision: bigint | 'no_stream';
  /** The last ones without a gap, in order; how many is whoever's who loads. */
  readonly events: readonly StoredEvent[];
}

export interface Decided<State> {
  /** With the new events applied. */
  readonly state: State;
  /** How many events were appended; 0 where there was nothing to do. */
  readonly appended: number;
  /** Commit position of the stream's last event, or of the earlier attempt's; undefined for an empty stream. */
  readonly position: bigint | undefined;
}

/** Conflicts on one stream are rare: two writers of the same identity or ingestion at the same moment. */
const MOST_TRIES = 20;

/** A stream that is taken not to exist: where it does, the expected revision tells, and it is read then. */
export const unread = <State>({ initialState }: { readonly initialState: () => State }): Loaded<State> => ({
  state: initialState(),
  revision: 'no_stream',
  events: [],
});

export const loadStream = async <State, Command, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  decider: Decider<State, Command, Event>,
  budgetMs?: number,
): Promise<Loaded<State>> => {
  const events: StoredEvent[] = [];
  for await (const page of store.readPages(stream, budgetMs === undefined ? {} : { budgetMs })) events.push(...page);
  return {
    state: events.reduce((state, event) => decider.evolve(state, event as unknown as Event), decider.initialState()),
    revision: events.at(-1)?.revision ?? 'no_stream',
    events,
  };
};

interface DecisionRequest<State, Command, Event extends DomainEvent> {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly stream: string;
  readonly load: () => Promise<Loaded<State>>;
  readonly decider: Decider<State, Command, Event>;
  readonly command: Command;
  readonly cause: Cause;
  /** Id of the first event, where something is sealed for it, or an earlier attempt is to be recognised by it. */
  readonly firstEventId?: string | undefined;
  /** An earlier attempt with the same `firstEventId` may have been made long ago: all of the stream is searched for it. */
  readonly repeated?: boolean | undefined;
  /** The stream as read before; read anew only after a conflict. */
  readonly loaded?: Loaded<State> | undefined;
  /** Carried out once, when the command was found to be allowed by this state, before anything is appended. */
  readonly beforehand?: ((state: State) => Promise<void>) | undefined;
}

const toNewEvents = <Event extends DomainEvent>(
  events: readonly Event[],
  { clock, cause, firstEventId }: Pick<DecisionRequest<unknown, unknown, Event>, 'clock' | 'cause' | 'firstEventId'>,
): NewEvent[] =>
  events.map((event, index) => ({
    id: (index === 0 ? firstEventId : undefined) ?? newUuid(),
    type: event.type,
    data: event.data,
    metadata: {
      $correlationId: cause.requestId,
      ...(cause.eventId === undefined ? {} : { $causationId: cause.eventId }),
      actor: cause.actor,
      time: clock.now().toISOString(),
      schemaVersion: 1,
    },
  }));

type IdentifyingFields = 'store' | 'stream' | 'firstEventId' | 'repeated';

/** What an earlier attempt wrote. */
const earlierAttempt = async (
  { store, stream, firstEventId, repeated }: Pick<DecisionRequest<unknown, unknown, DomainEvent>, IdentifyingFields>,
  { events }: Loaded<unknown>,
): Promise<StoredEvent | undefined> => {
  const isFirst = ({ id }: StoredEvent): boolean => id === firstEventId;
  const found = events.find(isFirst);
  const before = (events[0]?.revision ?? 0n) - 1n;
  if (found !== undefined || repeated !== true || before < 0n) return found;
  for await (const page of store.readPages(stream, { direction: 'backwards', from: before })) {
    const older = page.find(isFirst);
    if (older !== undefined) return older;
  }
  return undefined;
};

/**
 * Reads, decides and appends at the revision that the decision was made on; a conflict decides again. Throws the decider's
 * Rejection, or Unavailable; after Unavailable the outcome is unknown and the same command may be given again: with the same
 * `firstEventId` it finds what the first attempt wrote, whatever has happened since.
 */
export const decideOnStream = async <State, Command, Event extends DomainEvent>(
  request: DecisionRequest<State, Command, Event>,
): Promise<Decided<State>> => {
  const { store, stream, load, decider, command } = request;
  let { loaded, beforehand } = request;
  for (let tries = 1; ; tries += 1) {
    loaded ??= await load();
    const earlier = await earlierAttempt(request, loaded);
    if (earlier !== undefined) return { state: loaded.state, appended: 0, position: earlier.position };
    const events = decider.decide(command, loaded.state);
    await beforehand?.(loaded.state);
    beforehand = undefined;
    if (events.length === 0) return { state: loaded.state, appended: 0, position: loaded.events.at(-1)?.position };
    try {
      const { position } = await store.append(stream, toNewEvents(events, request), loaded.revision);
      const state = events.reduce((before, event) => decider.evolve(before, event), loaded.state);
      return { state, appended: events.length, position };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      if (tries >= MOST_TRIES) throw new Unavailable('event_store', { cause: error });
      loaded = undefined;
    }
  }
};
