import { type LogCategory } from '../../kernel/category.js';
import { type Clock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type CommandMetadata, eventMetadata } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { GroupAppend } from './group-append.js';
import { StreamPool } from './stream-pool.js';

/** An event with an id that its caller fixes, so that a second attempt appends the same event. */
export type IdentifiedEvent<Event extends DomainEvent> = Event & { readonly id: string };

export interface GroupedAppend {
  readonly metadata: CommandMetadata;
  /** Upper estimate of the event's stored size, in bytes. */
  readonly bytes: number;
  readonly budgetMs: number;
}

/** The streams of a category without decisions, with one GroupAppend for each stream that this process has used. */
export class GroupedLog<Event extends DomainEvent> {
  private readonly writers = new StreamPool((stream: string) => new GroupAppend(stream, this.store, this.clock));

  constructor(
    private readonly category: LogCategory<Event>,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Events of all streams that have no answer so far. */
  get queued(): number {
    let queued = 0;
    for (const writer of this.writers.all) queued += writer.queued;
    return queued;
  }

  /** See GroupAppend.append. */
  append(stream: string, event: IdentifiedEvent<Event>, { metadata, bytes, budgetMs }: GroupedAppend): Promise<bigint> {
    const written = this.category.newEvent(event, event.id, eventMetadata(metadata, this.clock.now()));
    return this.writers.of(stream).append(written, bytes, budgetMs);
  }
}
