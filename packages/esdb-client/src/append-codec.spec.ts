import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Deframer } from '@kyc/esdb-wire/deframer';
import { decodeAppendReply, encodeAppend } from './append-codec.js';
import { wireFields } from '@kyc/esdb-wire/cursor';
import { type NewEvent } from './events.js';
import { type ExpectedRevision } from './requests.js';

interface Uuid {
  setString(text: string): void;
  getString(): string;
}
interface Proposed {
  getId(): Uuid;
  getMetadataMap(): Map<string, string>;
  getCustomMetadata_asU8(): Uint8Array;
  getData_asU8(): Uint8Array;
}
interface Options {
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array };
  getStreamPosition(): string;
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}
interface Request {
  getCorrelationId(): Uuid;
  getOptions(): Options;
  getProposedMessagesList(): Proposed[];
  getIsFinal(): boolean;
}
interface Message {
  serializeBinary(): Uint8Array;
  [setter: `set${string}`]: (value: unknown) => void;
}
type Constructor = new () => Message;
interface Generated {
  BatchAppendReq: { deserializeBinary(bytes: Uint8Array): Request };
  BatchAppendResp: Constructor & { Success: Constructor };
}

// The official client's generated messages are the reference that the hand-written codec is held to.
const load = createRequire(import.meta.url);
const generated = load('@eventstore/db-client/generated/streams_pb.js') as Generated;
const shared = load('@eventstore/db-client/generated/shared_pb.js') as Record<
  'UUID' | 'AllStreamPosition' | 'WrongExpectedVersion' | 'Timeout' | 'StreamDeleted' | 'Empty',
  Constructor
> & { UUID: Constructor & { Structured: Constructor } };
const status = load('@eventstore/db-client/generated/status_pb.js') as { Status: Constructor };
const any = load('google-protobuf/google/protobuf/any_pb.js') as { Any: Constructor };
const duration = load('google-protobuf/google/protobuf/duration_pb.js') as {
  Duration: { deserializeBinary(bytes: Uint8Array): { toObject(): { seconds: number; nanos: number } } };
};
const empty = load('google-protobuf/google/protobuf/empty_pb.js') as { Empty: Constructor };

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const event = (type: string, data: unknown): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: {
    $correlationId: 'c',
    actor: { type: 'system', id: 'ü' },
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
});

const expectations = fc.oneof(
  fc.constantFrom<ExpectedRevision>('any', 'no_stream', 'stream_exists'),
  fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
);

/** The client's generated Options are of a time before field 7; the field is a well-known type all the same. */
const deadlineOf = (message: Buffer): number => {
  const field = (from: Buffer, wanted: number): Buffer =>
    [...wireFields(from)].find(({ number }) => number === wanted)?.bytes ?? Buffer.alloc(0);
  const { seconds, nanos } = duration.Duration.deserializeBinary(field(field(message, 2), 7)).toObject();
  return seconds * 1_000 + nanos / 1_000_000;
};

const messageIn = (frame: Buffer): Buffer => {
  const messages: Buffer[] = [];
  new Deframer((message) => messages.push(message)).push(frame);
  expect(messages).toHaveLength(1);
  return messages[0] as Buffer;
};

const expectationOf = (options: Options): ExpectedRevision => {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : BigInt(options.getStreamPosition());
};

describe('an append request', () => {
  it('is read by the generated code as what was written', () => {
    const events = fc.array(
      fc.record({
        type: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        data: fc.dictionary(fc.string(), fc.jsonValue()),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        events,
        expectations,
        fc.nat(),
        fc.integer({ min: 1, max: 100_000_000 }),
        (stream, list, expected, correlation, deadlineMs) => {
          const news = list.map(({ type, data }) => event(type, data));
          const message = messageIn(encodeAppend(correlation, stream, news, expected, deadlineMs));
          const request = generated.BatchAppendReq.deserializeBinary(message);
          expect(deadlineOf(message)).toBe(deadlineMs);
          expect(text(request.getOptions().getStreamIdentifier().getStreamName_asU8())).toBe(stream);
          expect(expectationOf(request.getOptions())).toBe(expected);
          expect(request.getIsFinal()).toBe(true);
          expect(
            request.getProposedMessagesList().map((message) => ({
              id: message.getId().getString(),
              type: message.getMetadataMap().get('type'),
              contentType: message.getMetadataMap().get('content-type'),
              metadata: text(message.getCustomMetadata_asU8()),
              data: text(message.getData_asU8()),
            })),
          ).toEqual(
            news.map(({ id, type, data, metadata }) => ({
              id,
              type,
              contentType: 'application/json',
              metadata: JSON.stringify(metadata),
              data: JSON.stringify(data),
            })),
          );
        },
      ),
    );
  });
});

const build = (Type: Constructor, fields: Record<string, unknown>): Message => {
  const message = new Type();
  for (const [name, value] of Object.entries(fields)) message[`set${name}`]?.(value);
  return message;
};

const correlationOf = (correlation: number): Uuid =>
  generated.BatchAppendReq.deserializeBinary(
    messageIn(encodeAppend(correlation, 's-1', [event('A.v1', {})], 'any', 1_500)),
  ).getCorrelationId();

const reply = (correlation: unknown, fields: Record<string, unknown>): Buffer =>
  Buffer.from(build(generated.BatchAppendResp, { CorrelationId: correlation, ...fields }).serializeBinary());

const failure = (type: string, details: Message): Message =>
  build(status.Status, {
    Code: 2,
    Message: 'said the server',
    Details: build(any.Any, {
      TypeUrl: `type.googleapis.com/event_store.client.${type}`,
      Value: details.serializeBinary(),
    }),
  });

describe('an append reply', () => {
  it('tells revision and position', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        fc.bigInt({ min: 0n, max: 2n ** 63n }),
        (id, revision, position) => {
          const Position = build(shared.AllStreamPosition, {
            CommitPosition: `${position}`,
            PreparePosition: `${position}`,
          });
          const Success = build(generated.BatchAppendResp.Success, { CurrentRevision: `${revision}`, Position });
          const decoded = decodeAppendReply(reply(correlationOf(id), { Success }));
          expect(decoded).toEqual({ correlation: id, outcome: { kind: 'written', revision, position } });
        },
      ),
    );
  });

  it('is found by its correlation id in either spelling', () => {
    const halves = BigInt(`0x${correlationOf(77).getString().replaceAll('-', '')}`);
    const Structured = build(shared.UUID.Structured, {
      MostSignificantBits: `${BigInt.asIntN(64, halves >> 64n)}`,
      LeastSignificantBits: `${BigInt.asIntN(64, halves)}`,
    });
    const Success = build(generated.BatchAppendResp.Success, { CurrentRevision: '3', NoPosition: new empty.Empty() });
    expect(decodeAppendReply(reply(build(shared.UUID, { Structured }), { Success }))).toEqual({
      correlation: 77,
      outcome: { kind: 'written', revision: 3n, position: undefined },
    });
  });

  it('tells where the stream really is', () => {
    const at = build(shared.WrongExpectedVersion, { CurrentStreamRevision: '300', ExpectedStreamPosition: '5' });
    const none = build(shared.WrongExpectedVersion, {
      CurrentNoStream: new empty.Empty(),
      ExpectedStreamPosition: '5',
    });
    const outcome = (details: Message): unknown =>
      decodeAppendReply(reply(correlationOf(1), { Error: failure('WrongExpectedVersion', details) })).outcome;
    expect(outcome(at)).toEqual({ kind: 'wrong_revision', actual: 300n });
    expect(outcome(none)).toEqual({ kind: 'wrong_revision', actual: 'no_stream' });
  });

  it('keeps apart what the store will never take and what it could not say', () => {
    const outcome = (type: string, details: Message = new shared.Timeout()): unknown =>
      decodeAppendReply(reply(correlationOf(1), { Error: failure(type, details) })).outcome;
    expect(outcome('StreamDeleted')).toEqual({ kind: 'refused', reason: 'StreamDeleted said the server' });
    expect(outcome('Timeout')).toEqual({ kind: 'unknown', reason: 'Timeout said the server' });
    expect(outcome('Unknown')).toMatchObject({ kind: 'unknown' });
    // Servers from 24.10 on say this, and later ones may say more.
    for (const type of ['MaximumAppendEventSizeExceeded', 'SomethingOfTomorrow'])
      expect(outcome(type)).toEqual({ kind: 'refused', reason: `${type} said the server` });
  });

  it('of a server that is not ready, which packs empty details, is asked again', () => {
    const Details = build(any.Any, { TypeUrl: 'type.googleapis.com/google.protobuf.Empty', Value: new Uint8Array() });
    const Error = build(status.Status, { Message: 'Server Is Not Ready', Details });
    expect(decodeAppendReply(reply(correlationOf(1), { Error })).outcome).toMatchObject({ kind: 'unknown' });
  });

  it('without details is final where its code says so', () => {
    const outcome = (code: number): unknown => {
      const Error = build(status.Status, { Code: code, Message: 'said the server' });
      return decodeAppendReply(reply(correlationOf(1), { Error })).outcome;
    };
    for (const code of [3, 7, 12, 16]) expect(outcome(code)).toEqual({ kind: 'refused', reason: 'said the server' });
    for (const code of [1, 2, 4, 5, 8, 10, 13, 14]) expect(outcome(code)).toMatchObject({ kind: 'unknown' });
  });
});
