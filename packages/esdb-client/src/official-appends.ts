import {
  type EventStoreDBClient,
  jsonEvent,
  type JSONType,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { setTimeout as pause } from 'node:timers/promises';
import { Status } from '@kyc/esdb-wire/status';
import { type Appends, type KnownOutcome } from './append-channel.js';
import { type NewEvent, StoreUnavailable } from './events.js';
import { type ExpectedRevision } from './requests.js';

const PAUSE_MS = 50;

/** Undefined if the outcome of the append is unknown. */
const outcomeOf = (error: unknown): KnownOutcome | undefined => {
  if (error instanceof WrongExpectedVersionError) {
    return { kind: 'wrong_revision', actual: error.actualVersion };
  }
  const refused =
    error instanceof StreamDeletedError ||
    // The code for an append that is too large, among other causes.
    (error as { code?: number }).code === Status.invalidArgument;
  return refused ? { kind: 'refused', reason: (error as Error).message } : undefined;
};

interface Append {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
  /** Deadline on the monotonic clock. */
  readonly until: number;
}

interface Attempts {
  over: boolean;
  problem: unknown;
}

/**
 * Appends by the official client's own appendToStream. An append with an unknown outcome is repeated unchanged until
 * its budget is used up. The store recognises the ids and the expected revision.
 */
export class OfficialAppends implements Appends {
  private repliedAt = 0;
  private readonly pending = new Set<() => void>();

  constructor(private readonly client: () => EventStoreDBClient) {}

  get lastReplyAt(): number {
    return this.repliedAt;
  }

  append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    budgetMs: number,
  ): Promise<KnownOutcome> {
    const append = { stream, events, expected, until: performance.now() + budgetMs };
    const attempts: Attempts = { over: false, problem: undefined };
    return new Promise<KnownOutcome>((resolve, reject) => {
      // The client's own deadline does not include the search for a node.
      const timer = setTimeout(() => giveUp(), budgetMs);
      const settle = (): void => {
        attempts.over = true;
        clearTimeout(timer);
        this.pending.delete(giveUp);
      };
      const giveUp = (): void => {
        settle();
        reject(new StoreUnavailable({ cause: attempts.problem }));
      };
      this.pending.add(giveUp);
      void this.untilKnown(append, attempts).then((outcome) => {
        if (attempts.over || outcome === undefined) return;
        settle();
        resolve(outcome);
      });
    });
  }

  /** Nothing to do: each call asks for the present client. */
  reset(): void {}

  close(): void {
    for (const giveUp of [...this.pending]) giveUp();
  }

  private async untilKnown(append: Append, attempts: Attempts): Promise<KnownOutcome | undefined> {
    while (!attempts.over) {
      try {
        const outcome = await this.once(append);
        this.repliedAt = performance.now();
        return outcome;
      } catch (error) {
        attempts.problem = error;
        await pause(PAUSE_MS);
      }
    }
    return undefined;
  }

  private async once({ stream, events, expected, until }: Append): Promise<KnownOutcome> {
    const written = events.map(({ id, type, data, metadata }) =>
      jsonEvent({ id, type, data: data as JSONType, metadata: { ...metadata } }),
    );
    const deadline = Math.max(until - performance.now(), 1);
    try {
      const options = { expectedRevision: expected, deadline };
      const { nextExpectedRevision, position } = await this.client().appendToStream(stream, written, options);
      return { kind: 'written', revision: nextExpectedRevision, position: position?.commit };
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === undefined) throw error;
      return outcome;
    }
  }
}
