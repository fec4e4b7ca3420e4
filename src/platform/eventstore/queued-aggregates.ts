import pLimit from 'p-limit';
import { type QueuedCategory } from '../../kernel/category.js';
import { type Clock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type CommandMetadata, eventMetadata } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { type EventStore } from './event-store.js';
import { GroupCommit } from './group-commit.js';
import { type Snapshots } from './snapshots.js';
import { StreamPool } from './stream-pool.js';

/** Streams that are read for the first time at the same time: enough to be busy while the store answers. */
const LOADED_AT_ONCE = 8;

/** A command that waits with others carries its metadata itself. */
export interface QueuedCommand {
  readonly metadata: CommandMetadata;
  /** Of its one event, where it is fixed by the caller. */
  readonly eventId?: string | undefined;
}

/** The streams of one category, each with a group-committing writer once this process has touched it. */
export class QueuedAggregates<State, Command extends QueuedCommand, Event extends DomainEvent, Id extends string> {
  private readonly writers = new StreamPool((id: Id) => this.makeWriter(id));
  private readonly loads = pLimit(LOADED_AT_ONCE);

  constructor(
    private readonly category: QueuedCategory<State, Command, Event, Id>,
    private readonly store: EventStore,
    private readonly snapshots: Snapshots,
    private readonly clock: Clock,
  ) {}

  of(id: Id): GroupCommit<State, Command, Event> {
    return this.writers.of(id);
  }

  private makeWriter(id: Id): GroupCommit<State, Command, Event> {
    const { stream, decider, newEvent, queue, snapshots } = this.category;
    const { store, clock, loads } = this;
    return new GroupCommit({
      stream: stream(id),
      store,
      clock,
      decider,
      loads,
      draft: queue.draft,
      weigh: queue.weigh,
      toNewEvent: (event, command) =>
        newEvent(event, command.eventId ?? newUuid(), eventMetadata(command.metadata, clock.now())),
      ...(snapshots === undefined ? {} : { snapshots: { ...snapshots, store: this.snapshots } }),
    });
  }
}
