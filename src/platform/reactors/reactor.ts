import { DiscoveryService } from '@nestjs/core';
import { type StoredEvent } from '../../kernel/events.js';

export interface ReactorOptions {
  /** Of its checkpoint, its effects' ids and what is parked: it never changes. */
  readonly name: string;
  /** Raised where it is to react once more to all that it starts at; an older version beside it then rests. */
  readonly version: number;
  /** Streams whose names begin with one of these. */
  readonly streamPrefixes: readonly string[];
  /** The store sends these types alone. */
  readonly eventTypes: readonly string[];
  /** Where a new reactor starts; `now`: where the log ends when it first runs, also in a later version. */
  readonly startsAt: 'beginning' | 'now';
  /** So many streams at once (8); the events of one come one after the other. */
  readonly concurrency?: number;
  /** So many tries, with growing pauses, before an event is parked (8, over about a minute). */
  readonly attempts?: number;
  /** What one try may take, milliseconds (30,000). */
  readonly budgetMs?: number;
}

export interface ReactionContext {
  /** The same at every try, by whichever instance: what the effect is to be known by. */
  readonly effectId: string;
  /** From 1. */
  readonly attempt: number;
  /** Aborts when the try has taken too long, or this process stops or leads no more. */
  readonly signal: AbortSignal;
}

/** The effect of an event. It may be called again for the same event, so that it has to be idempotent. */
export interface Reaction {
  /** Unavailable: a store is away, which is waited out and costs no try. Any other error costs one. */
  handle(event: StoredEvent, context: ReactionContext): Promise<void>;
}

/** A provider that implements Reaction, in processes with the role `jobs`; one instance of all runs it. */
export const Reactor = DiscoveryService.createDecorator<ReactorOptions>();
