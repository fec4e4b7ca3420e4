import { type Category } from '../../kernel/category.js';
import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';

/** An event with the state that it led to. The state may change in place with the next one. */
export interface Step {
  readonly event: StoredEvent;
  readonly state: unknown;
}

export class NoSuchStream extends Error {
  override readonly name = 'NoSuchStream';
}

type AnyCategory = Category<unknown, unknown, DomainEvent>;

const folded = (categories: CategoryRegistry, stream: string): AnyCategory['decider'] => {
  const category = categories.categoryOf(stream);
  if (category === undefined || !('decider' in category)) throw new NoSuchStream(`${stream} has no state to fold`);
  return (category as AnyCategory).decider;
};

/**
 * A stream's state event by event, up to the first event after `time` by its appender's clock. So what is shown stood
 * there once, also where clocks disagree. Throws NoSuchStream where nothing of it is known: no event is that old, or
 * those that were are purged.
 */
export async function* stateUntil(
  { store, categories }: { readonly store: EventStore; readonly categories: CategoryRegistry },
  stream: string,
  time: Date,
): AsyncGenerator<Step> {
  const { initialState, evolve } = folded(categories, stream);
  let state = initialState(stream);
  let isBegun = false;
  for await (const page of store.readPages(stream)) {
    for (const event of page) {
      if (new Date(event.metadata.time) > time) {
        if (!isBegun) throw new NoSuchStream(tooEarly(event));
        return;
      }
      isBegun = true;
      state = evolve(state, event);
      yield { event, state };
    }
  }
  if (!isBegun) throw new NoSuchStream(`${stream} has no events, or they are purged`);
}

const tooEarly = ({ stream, revision, metadata }: StoredEvent): string =>
  revision === 0n
    ? `${stream} begins at ${metadata.time}`
    : `the events of ${stream} before ${metadata.time} (revision ${revision}) are purged`;
