import { type NewEvent } from '../../kernel/events.js';
import { DelegatingEventStore } from './delegating-event-store.js';
import { type ExpectedRevision } from '@kyc/esdb-client/requests';
import {
  type AppendOptions,
  AppendRefused,
  type AppendResult,
  type EventStore,
  WrongExpectedRevision,
} from './event-store.js';

/** How an append ended. `unknown`: the store did not say in time, so it may have been written or not. */
export type AppendOutcome = 'written' | 'conflict' | 'refused' | 'unknown';

export type ObserveAppend = (outcome: AppendOutcome, seconds: number, events: number) => void;

const outcomeOf = (error: unknown): AppendOutcome => {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  return error instanceof AppendRefused ? 'refused' : 'unknown';
};

/** Reports how long each append took and how many events it had. All other calls pass by it. */
export class MeasuredEventStore extends DelegatingEventStore {
  constructor(
    store: EventStore,
    private readonly observe: ObserveAppend,
  ) {
    super(store);
  }

  override async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    const began = performance.now();
    let outcome: AppendOutcome = 'written';
    try {
      return await this.store.append(stream, events, expected, options);
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      this.observe(outcome, (performance.now() - began) / 1_000, events.length);
    }
  }
}
