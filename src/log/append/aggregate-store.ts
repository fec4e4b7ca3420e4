import {
  type Category,
  type CategoryDescription,
  type LogCategory,
  type QueuedCategory,
} from '../../kernel/category.js';
import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type Clock } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type CommandMetadata, eventMetadata } from '../../kernel/events.js';
import { invariant } from '../../kernel/invariant.js';
import { Aggregates } from './aggregates.js';
import { type ExpectedRevision } from '@kyc/esdb-client/requests';
import { type AppendResult, type EventStore } from '../../platform/eventstore/event-store.js';
import { GroupedLog, type IdentifiedEvent } from './grouped-log.js';
import { QueuedAggregates, type QueuedCommand } from './queued-aggregates.js';
import { type Snapshots } from './snapshots.js';

/** The only way to write to the log. It takes events of registered categories only, each with its command's metadata. */
export class AggregateStore {
  private readonly writers: { readonly category: string; readonly writer: { readonly queued: number } }[] = [];

  constructor(
    readonly categories: CategoryRegistry,
    private readonly store: EventStore,
    private readonly snapshots: Snapshots,
    private readonly clock: Clock,
  ) {}

  /** Streams that are read for each command. */
  of<State, Command, Event extends DomainEvent, Ids extends readonly string[]>(
    category: Category<State, Command, Event, Ids>,
  ): Aggregates<State, Command, Event> {
    this.assertRegistered(category);
    return new Aggregates(category, this.store, this.snapshots, this.clock);
  }

  /** The same with a command queue. States stay in memory. Commands that arrive during an append share the next one. */
  queued<State, Command extends QueuedCommand, Event extends DomainEvent, Id extends string>(
    category: QueuedCategory<State, Command, Event, Id>,
  ): QueuedAggregates<State, Command, Event, Id> {
    this.assertRegistered(category);
    const writer = new QueuedAggregates(category, this.store, this.snapshots, this.clock);
    this.writers.push({ category: category.name, writer });
    return writer;
  }

  /** Streams without decisions. Events that arrive during an append share the next one. */
  grouped<Event extends DomainEvent>(category: LogCategory<Event>): GroupedLog<Event> {
    this.assertRegistered(category);
    const writer = new GroupedLog(category, this.store, this.clock);
    this.writers.push({ category: category.name, writer });
    return writer;
  }

  /** What waits for an append or is in one, by category, of those whose commands share appends. */
  waiting(): ReadonlyMap<string, number> {
    const waiting = new Map<string, number>();
    for (const { category, writer } of this.writers) {
      waiting.set(category, (waiting.get(category) ?? 0) + writer.queued);
    }
    return waiting;
  }

  /**
   * Throws WrongExpectedRevision, or Unavailable with an unknown outcome. After Unavailable the same events may be
   * appended again.
   */
  append<Event extends DomainEvent>(
    category: LogCategory<Event>,
    stream: string,
    event: IdentifiedEvent<Event>,
    { metadata, expected = 'any' }: { readonly metadata: CommandMetadata; readonly expected?: ExpectedRevision },
  ): Promise<AppendResult> {
    this.assertRegistered(category);
    invariant(this.categories.categoryOf(stream) === category, `${stream} is of the category ${category.name}`);
    const written = category.newEvent(event, event.id, eventMetadata(metadata, this.clock.now()));
    return this.store.append(stream, [written], expected);
  }

  private assertRegistered(category: CategoryDescription): void {
    invariant(this.categories.has(category), `the category ${category.name} is registered`);
  }
}
