import {
  AccessDeniedError,
  BACKWARDS,
  END,
  FORWARDS,
  type ResolvedEvent,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  type StreamingRead,
} from '@eventstore/db-client';
import { deliverAll, toStoredEvent } from './deliveries.js';
import { type StoredEvent, StoreUnavailable } from './events.js';
import { type NodeClient } from './node-client.js';
import { type Reads, type StreamReading } from './reads.js';
import { type AllSubscriptionOptions, type Delivery } from './requests.js';

/** Reads and subscriptions by the official client. */
export class OfficialReads implements Reads {
  private repliedAt = 0;

  constructor(private readonly client: () => NodeClient) {}

  get lastReplyAt(): number {
    return this.repliedAt;
  }

  async readStream(stream: string, reading: StreamReading, budgetMs: number): Promise<StoredEvent[]> {
    const { backwards, from, maxCount } = reading;
    const events = this.client().readStream(stream, {
      direction: backwards ? BACKWARDS : FORWARDS,
      fromRevision: from ?? (backwards ? END : START),
      maxCount,
      requiresLeader: true,
    });
    return this.collect(events, budgetMs);
  }

  async readLast(budgetMs: number): Promise<StoredEvent | undefined> {
    const reading = this.client().readAll({
      direction: BACKWARDS,
      fromPosition: END,
      maxCount: 1,
      requiresLeader: true,
    });
    return (await this.collect(reading, budgetMs))[0];
  }

  subscribeToAll(options: AllSubscriptionOptions): AsyncIterable<readonly Delivery[]> {
    return deliverAll(this.client(), options);
  }

  /** Nothing to do: each call asks for the present client. */
  reset(): void {}

  /** The client ends its calls itself. */
  close(): void {}

  private async collect(reading: StreamingRead<ResolvedEvent>, budgetMs: number): Promise<StoredEvent[]> {
    // An error after the end of the iteration has no other listener. Without this one it would end the process.
    reading.on('error', () => undefined);
    const timer = setTimeout(() => reading.destroy(new Error(`no answer within ${budgetMs} ms`)), budgetMs);
    const events: StoredEvent[] = [];
    try {
      for await (const { event, commitPosition } of reading) {
        if (event !== undefined) events.push(toStoredEvent(event, commitPosition));
      }
      this.repliedAt = performance.now();
      return events;
    } catch (error) {
      if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return [];
      if (error instanceof AccessDeniedError) throw error;
      throw new StoreUnavailable({ cause: error });
    } finally {
      clearTimeout(timer);
      reading.cancel().catch(() => undefined);
    }
  }
}
