import { binaryEvent } from '@eventstore/db-client';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Client, type ClientDuplexStream, credentials } from '@grpc/grpc-js';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../../../test/support/processes.js';
import {
  collect,
  describeEmbedded,
  event,
  failureOf,
  fresh,
  readRevisions,
  type Server,
  startServer,
} from './server.js';

const NIL = '00000000-0000-0000-0000-000000000000';
const TOO_LARGE = 'MaximumAppendSizeExceeded';

interface Message {
  readonly correlationId?: string;
  /** Undefined: no options, as in all but the first message of an append. */
  readonly stream?: string;
  /** Of the options, milliseconds from now. */
  readonly deadline?: number;
  /** Bytes of each event's data. */
  readonly sizes?: readonly number[];
  readonly eventId?: string;
  readonly type?: string;
  readonly isFinal?: boolean;
}

function optionsOf(stream: string, deadline: number | undefined): BatchAppendReq.Options {
  const name = new StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
  const options = new BatchAppendReq.Options().setStreamIdentifier(name).setAny(new Empty());
  if (deadline !== undefined) {
    options.setDeadline(timestamps.Timestamp.fromDate(new Date(Date.now() + deadline)));
  }
  return options;
}

function proposed(size: number, id: string, type: string): BatchAppendReq.ProposedMessage {
  const message = new BatchAppendReq.ProposedMessage().setId(new UUID().setString(id)).setData(Buffer.alloc(size));
  message.getMetadataMap().set('type', type).set('content-type', 'application/octet-stream');
  return message;
}

function requestOf(message: Message): BatchAppendReq {
  const { correlationId = randomUUID(), stream, deadline, sizes = [1], eventId, type = 't', isFinal = true } = message;
  const request = new BatchAppendReq().setCorrelationId(new UUID().setString(correlationId)).setIsFinal(isFinal);
  if (stream !== undefined) request.setOptions(optionsOf(stream, deadline));
  for (const size of sizes) request.addProposedMessages(proposed(size, eventId ?? randomUUID(), type));
  return request;
}

/** One BatchAppend call, with what came back by correlation id: the revision, or the type of the error. */
class RawAppends {
  readonly answers: { readonly correlationId: string; readonly answer: string }[] = [];
  readonly status: Promise<number>;
  private readonly raw: Client;
  private readonly call: ClientDuplexStream<Buffer, BatchAppendResp>;

  constructor(url: string) {
    this.raw = new Client(new URL(url.replace('esdb', 'http')).host, credentials.createInsecure());
    this.call = this.raw.makeBidiStreamRequest<Buffer, BatchAppendResp>(
      '/event_store.client.streams.Streams/BatchAppend',
      (request) => request,
      (bytes) => BatchAppendResp.deserializeBinary(bytes),
    );
    this.call.on('data', (response: BatchAppendResp) => {
      const type = response.getError()?.getDetails()?.getTypeUrl().split('.').at(-1);
      const answer = type ?? String(response.getSuccess()?.getCurrentRevision());
      this.answers.push({ correlationId: response.getCorrelationId()?.getString() ?? '', answer });
    });
    this.call.on('error', () => undefined);
    this.status = new Promise((resolve) => this.call.on('status', ({ code }) => resolve(code)));
  }

  send(...messages: Message[]): void {
    for (const message of messages) this.call.write(Buffer.from(requestOf(message).serializeBinary()));
  }

  /** One message with the same tiny event many times: fields that follow a serialized message are a part of it. */
  sendRepeated(message: Message, count: number): void {
    const event = Buffer.from(proposed(0, randomUUID(), 't').serializeBinary());
    const field = Buffer.concat([Buffer.from([(3 << 3) | 2, event.length]), event]);
    const head = Buffer.from(requestOf({ ...message, sizes: [] }).serializeBinary());
    this.call.write(Buffer.concat([head, ...Array.from({ length: count }, () => field)]));
  }

  async answered(count: number): Promise<string[]> {
    await eventually('the answers', () => this.answers.length >= count);
    return this.answers.map(({ answer }) => answer);
  }

  async end(): Promise<number> {
    this.call.end();
    const status = await this.status;
    this.raw.close();
    return status;
  }
}

describeEmbedded('an append that cannot be', () => {
  let server: Server;
  let raw: RawAppends;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    raw = new RawAppends(server.url);
  });

  it.each<[string, Message]>([
    ['has an id that is no UUID', { stream: 's', eventId: 'nope' }],
    ['has the id of no event', { stream: 's', eventId: NIL }],
    ['has no type', { stream: 's', type: '' }],
    ['has a type beyond 2,000 bytes', { stream: 's', type: 't'.repeat(2_001) }],
    ['names no stream', { stream: '' }],
    ['names a stream beyond 2,000 bytes', { stream: 's'.repeat(2_001) }],
  ])('is refused alone where it %s, and the others of its call go on', async (_, bad) => {
    const stream = fresh();
    const correlationId = randomUUID();
    raw.send({ stream }, { ...bad, correlationId }, { stream });
    await raw.answered(3);
    expect(raw.answers).toContainEqual({ correlationId, answer: 'BadRequest' });
    expect(raw.answers.map(({ answer }) => answer).sort()).toEqual(['0', '1', 'BadRequest']);
    expect(await raw.end()).toBe(0);
  });

  it('takes nothing more of an append that is already refused', async () => {
    const [stream, correlationId] = [fresh(), randomUUID()];
    raw.send({ correlationId, stream, eventId: 'nope', isFinal: false }, { correlationId }, { stream });
    expect(await raw.answered(2)).toEqual(['BadRequest', '0']);
    expect(await raw.end()).toBe(0);
    expect(await readRevisions(server.client, stream)).toEqual([0]);
  });

  it('fails its own promise of the client only', async () => {
    const stream = fresh();
    const good = Promise.all(Array.from({ length: 20 }, () => server.client.appendToStream(stream, event())));
    const bad = failureOf(server.client.appendToStream(stream, { ...event(), id: 'nope' }));
    expect(await bad).toMatchObject({ type: 'unknown' });
    expect(await good).toHaveLength(20);
  });

  it('is answered as timed out by its deadline or after two seconds, and forgotten, where its end does not come', async () => {
    const [stream, early, late] = [fresh(), randomUUID(), randomUUID()];
    raw.send({ correlationId: early, stream, deadline: 300, isFinal: false });
    raw.send({ correlationId: late, stream, deadline: 60_000, isFinal: false });
    raw.send({ correlationId: late, isFinal: false });
    // Long before the second one's own deadline, and the one with the early deadline first.
    expect(await raw.answered(2)).toEqual(['Timeout', 'Timeout']);
    expect(raw.answers.map(({ correlationId }) => correlationId)).toEqual([early, late]);
    raw.send({ correlationId: early }, { correlationId: late });
    expect(await raw.end()).toBe(0);
    expect(raw.answers).toHaveLength(2);
    expect((await failureOf(collect(server.client.readStream(stream))))['type']).toBe('stream-not-found');
  });

  it('is answered as timed out at once where its deadline has passed', async () => {
    raw.send({ stream: fresh(), deadline: -5_000 }, { stream: fresh(), deadline: -(10 ** 12) * 2 });
    expect(await raw.answered(2)).toEqual(['Timeout', 'Timeout']);
    expect(await raw.end()).toBe(0);
  });

  it('is answered as too large as soon as it is, before its end', async () => {
    const correlationId = randomUUID();
    raw.send({ correlationId, stream: fresh(), sizes: [600_000], isFinal: false });
    raw.send({ correlationId, sizes: [600_000], isFinal: false }, { correlationId, sizes: [10] });
    expect(await raw.answered(1)).toEqual([TOO_LARGE]);
    expect(await raw.end()).toBe(0);
    expect(raw.answers).toHaveLength(1);
  });

  it('waits with the next ones while unfinished ones hold sixteen megabytes', async () => {
    const stream = fresh();
    for (let n = 0; n < 40; n += 1) raw.send({ stream, sizes: [1_000_000], isFinal: false });
    raw.send({ stream });
    const answers = await raw.answered(41);
    expect(new Set(answers)).toEqual(new Set(['Timeout', '0']));
    // The whole one comes in its turn, when the first sixteen unfinished ones have made room.
    expect(answers.slice(0, 16)).not.toContain('0');
    expect(await raw.end()).toBe(0);
  });

  const tiny = (count: number) =>
    Array.from({ length: count }, () => binaryEvent({ type: 't', data: Buffer.alloc(0) }));

  it.each(['client', 'unary'] as const)(
    'is refused where its events take too much in the log, by %s',
    async (which) => {
      // Every stored event carries the name of its stream.
      const stream = fresh('s'.repeat(1_900));
      const refusal = await failureOf(server[which].appendToStream(stream, tiny(2_500)));
      expect(refusal).toMatchObject({ type: 'maximum-append-size-exceeded' });
      expect((await server[which].appendToStream(stream, event())).nextExpectedRevision).toBe(0n);
    },
  );

  it('is refused where one message of it holds more events than a call has arguments', async () => {
    raw.sendRepeated({ stream: fresh() }, 150_000);
    raw.send({ stream: fresh() });
    expect((await raw.answered(2)).sort()).toEqual(['0', TOO_LARGE]);
    expect(await raw.end()).toBe(0);
  });

  it('is not one of 10,000 small events', async () => {
    const stream = fresh();
    raw.sendRepeated({ stream }, 10_000);
    expect(await raw.answered(1)).toEqual(['9999']);
    expect(await raw.end()).toBe(0);
    const [last] = await readRevisions(server.client, stream, {
      direction: 'backwards',
      fromRevision: 'end',
      maxCount: 1,
    });
    expect(last).toBe(9_999);
  });
});
