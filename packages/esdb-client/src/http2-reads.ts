import { AccessDeniedError } from '@eventstore/db-client';
import { GrpcError, Status } from '@kyc/esdb-wire/status';
import { AllSubscription } from './all-subscription.js';
import { type LogRecord, type StoredEvent, StoreUnavailable } from './events.js';
import { CallRefused, type Http2Call } from './http2-call.js';
import { type Http2Connection } from './http2-connection.js';
import {
  decodeReadResponse,
  decodeRecordResponse,
  encodeReadLast,
  encodeReadStream,
  encodeSubscribeToAll,
  type ReadResponse,
} from './read-codec.js';
import { type Reads, SEARCH, type StreamReading } from './reads.js';
import { type AllSubscriptionOptions, type Delivery, type RecordSubscriptionOptions } from './requests.js';

/** A store's own streams begin with a dollar sign. */
const ALL_BUT_SYSTEM_STREAMS = /^[^$]/;

type Decode<Event> = (message: Buffer) => ReadResponse<Event> | undefined;

const READ = '/event_store.client.streams.Streams/Read';

/** Turns a refused read into an empty result, or throws the error for the reader. */
const withoutEvents = (error: unknown): [] => {
  const { exception } = error instanceof GrpcError ? error.metadata : {};
  if (exception === 'stream-not-found' || exception === 'stream-deleted') return [];
  if (exception === 'access-denied' || (error instanceof GrpcError && error.code === Status.unauthenticated)) {
    throw new AccessDeniedError(undefined, (error as GrpcError).message);
  }
  throw new StoreUnavailable({ cause: error });
};

/** Reads and subscriptions over a connection of our own. */
export class Http2Reads implements Reads {
  private repliedAt = 0;

  constructor(private readonly connection: Http2Connection) {}

  get lastReplyAt(): number {
    return this.repliedAt;
  }

  async readStream(stream: string, reading: StreamReading, budgetMs: number): Promise<StoredEvent[]> {
    return this.collect(encodeReadStream(stream, reading), budgetMs, decodeReadResponse);
  }

  async readLast(budgetMs: number): Promise<StoredEvent | undefined> {
    return (await this.collect(encodeReadLast(), budgetMs, decodeReadResponse))[0];
  }

  subscribeToAll(options: AllSubscriptionOptions): AsyncGenerator<readonly Delivery[]> {
    const { after, eventTypes, streamPrefixes } = options;
    const filter =
      eventTypes === undefined
        ? ({ on: 'stream', names: streamPrefixes } as const)
        : ({ on: 'type', names: eventTypes } as const);
    const request = encodeSubscribeToAll(after, { ...filter, ...SEARCH });
    return this.subscribe(request, new AllSubscription(decodeReadResponse), options.signal);
  }

  subscribeToRecords({ after, signal }: RecordSubscriptionOptions): AsyncGenerator<readonly Delivery<LogRecord>[]> {
    const request = encodeSubscribeToAll(after, { on: 'stream', names: ALL_BUT_SYSTEM_STREAMS, ...SEARCH });
    return this.subscribe(request, new AllSubscription(decodeRecordResponse), signal);
  }

  async readRecord(stream: string, revision: bigint, budgetMs: number): Promise<LogRecord | undefined> {
    const request = encodeReadStream(stream, { backwards: false, from: revision, maxCount: 1 });
    const [record] = await this.collect(request, budgetMs, decodeRecordResponse);
    return record?.revision === revision ? record : undefined;
  }

  private async *subscribe<Event>(
    request: Buffer,
    subscription: AllSubscription<Event>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly Delivery<Event>[]> {
    const ended = (): boolean => signal?.aborted === true;
    if (ended()) return;
    const stop = (): void => subscription.stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const opening = this.connection.call(READ, subscription);
      opening.then((call) => subscription.begin(call, request), subscription.ended);
      while (!ended()) yield await subscription.next();
    } catch (error) {
      if (!ended()) throw new StoreUnavailable({ cause: error });
    } finally {
      signal?.removeEventListener('abort', stop);
      stop();
    }
  }

  reset(): void {
    this.connection.disconnect();
  }

  close(): void {
    this.connection.disconnect();
  }

  private async collect<Event>(request: Buffer, budgetMs: number, decode: Decode<Event>): Promise<Event[]> {
    const until = performance.now() + budgetMs;
    try {
      const events = await this.once(request, budgetMs, decode).catch((error: unknown) => {
        if (!(error instanceof CallRefused)) throw error;
        return this.once(request, until - performance.now(), decode);
      });
      this.repliedAt = performance.now();
      return events;
    } catch (error) {
      return withoutEvents(error);
    }
  }

  private once<Event>(request: Buffer, budgetMs: number, decode: Decode<Event>): Promise<Event[]> {
    return new Promise((resolve, reject) => {
      const events: Event[] = [];
      let call: Http2Call | undefined;
      let over = false;
      const settle = (problem: Error | undefined): void => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        call?.cancel();
        if (problem === undefined) resolve(events);
        else reject(problem);
      };
      const expire = (): void => settle(new Error(`no answer within ${budgetMs} ms`));
      // An answer that arrived while this process was busy is read first.
      const timer = setTimeout(() => setImmediate(expire), budgetMs);
      const message = (bytes: Buffer): void => {
        const response = decode(bytes);
        if (response?.kind === 'event') events.push(response.event);
      };
      this.connection.call(READ, { message, ended: settle }).then((opened) => {
        call = opened;
        if (over) call.cancel();
        else call.finishWith(request);
      }, settle);
    });
  }
}
