import pLimit from 'p-limit';
import { type QueuedCategory } from '../../kernel/category.js';
import { type Clock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type CommandMetadata, eventMetadata } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { GroupCommit } from './group-commit.js';
import { type Snapshots } from './snapshots.js';
import { StreamPool } from './stream-pool.js';

/** Limit of streams that are loaded for the first time at once. It keeps this process busy while the store answers. */
const LOADED_AT_ONCE = 8;

/** A queued command carries its own metadata, because commands with different metadata share an append. */
export interface QueuedCommand {
  readonly metadata: CommandMetadata;
  /** Id of its first event, if the caller fixes it. */
  readonly eventId?: string | undefined;
}

/** The streams of one category, with one group-committing writer for each stream that this process has used. */
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

  /** Commands of all streams that have no answer so far. */
  get queued(): number {
    let queued = 0;
    for (const writer of this.writers.all) queued += writer.queued;
    return queued;
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
      toNewEvent: (event, command, index) => {
        const id = index === 0 ? command.eventId : undefined;
        return newEvent(event, id ?? newUuid(), eventMetadata(command.metadata, clock.now()));
      },
      ...(snapshots === undefined ? {} : { snapshots: { ...snapshots, store: this.snapshots } }),
    });
  }
}
