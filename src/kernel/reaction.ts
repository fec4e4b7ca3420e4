import { type StoredEvent } from './events.js';

export interface ReactorOptions {
  /** Key of its checkpoint, its effects' ids and its parked events. It never changes. */
  readonly name: string;
  /** Raise it to react again to all events, if `startsAt` is `beginning`. An older version beside it then rests. */
  readonly version: number;
  /** Streams whose names begin with one of these. */
  readonly streamPrefixes: readonly string[];
  /** The store sends only these types. */
  readonly eventTypes: readonly string[];
  /** Start of a new reactor. `now`: the end of the log at its first run. A later version then goes on from the checkpoint. */
  readonly startsAt: 'beginning' | 'now';
  /** Number of streams at once (8). The events of one stream run one after the other. */
  readonly concurrency?: number;
  /** Number of tries, with growing pauses, before an event is parked (8, over about a minute). */
  readonly attempts?: number;
  /** Budget of one try, in milliseconds (30,000). */
  readonly budgetMs?: number;
}

export interface ReactionContext {
  /** Identifies the effect. It is the same at every try, in any instance. */
  readonly effectId: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Aborts when the try exceeds its budget, this process stops, or it no longer leads. */
  readonly signal: AbortSignal;
}

/** The effect of an event. It must be idempotent, because it may be called again for the same event. */
export interface Reaction {
  /** The streams and types of the options, where only the running application knows them. */
  readonly follows?: Pick<ReactorOptions, 'streamPrefixes' | 'eventTypes'>;
  /** False for an event that has no effect. It is then passed over at once, without a try. */
  readonly concerns?: (event: StoredEvent) => boolean;
  /** Unavailable means that a store is away; the reactor waits and counts no try. Any other error counts as a try. */
  handle(event: StoredEvent, context: ReactionContext): Promise<void>;
}
