import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { type ResolvedEvent } from '@eventstore/db-client';
import fc from 'fast-check';
import { encodeFrames } from '@kyc/event-store-node/log/record';
import { Deframer } from '@kyc/esdb-wire/deframer';
import { toStoredEvent } from './deliveries.js';
import { decodeReadResponse } from './read-codec.js';
import { type Delivery } from './requests.js';

interface Message {
  serializeBinary(): Uint8Array;
  [setter: `set${string}`]: (value: unknown) => void;
  getMetadataMap?(): Map<string, string>;
}
type Constructor = new () => Message;
type Fields = Readonly<Record<string, unknown>>;
interface OfficialEvent extends Message {
  getEvent(): Message;
}

// The official client's generated messages and its own reading of them are the reference.
const load = createRequire(import.meta.url);
const { ReadResp } = load('@eventstore/db-client/generated/streams_pb.js') as {
  ReadResp: Constructor &
    Record<'Checkpoint' | 'CaughtUp' | 'FellBehind' | 'StreamNotFound' | 'SubscriptionConfirmation', Constructor> & {
      deserializeBinary(bytes: Uint8Array): OfficialEvent;
      ReadEvent: Constructor & { RecordedEvent: Constructor };
    };
};
const { UUID, StreamIdentifier, Empty } = load('@eventstore/db-client/generated/shared_pb.js') as Record<
  'StreamIdentifier' | 'Empty',
  Constructor
> & { UUID: Constructor & { Structured: Constructor } };
const { convertGrpcEvent } = load('@eventstore/db-client/dist/utils/convertGrpcEvent.js') as {
  convertGrpcEvent(event: Message): ResolvedEvent;
};

const build = (Type: Constructor, fields: Fields): Message => {
  const message = new Type();
  for (const [name, value] of Object.entries(fields)) message[`set${name}`]?.(value);
  return message;
};

const response = (fields: Fields): Buffer => Buffer.from(build(ReadResp, fields).serializeBinary());

const officially = (bytes: Buffer): Delivery | undefined => {
  const { event, commitPosition } = convertGrpcEvent(ReadResp.deserializeBinary(bytes).getEvent());
  return event === undefined ? undefined : { kind: 'event', event: toStoredEvent(event, commitPosition) };
};

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const text = fc.string({ unit: 'grapheme' });
const json = fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)));
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));

const halfOf = (uuid: string, from: number): string =>
  `${BigInt.asIntN(64, BigInt(`0x${uuid.replaceAll('-', '').slice(from, from + 16)}`))}`;

const ids = fc.tuple(fc.uuid({ version: 4 }), fc.boolean()).map(([uuid, structured]) =>
  structured
    ? build(UUID, {
        Structured: build(UUID.Structured, {
          MostSignificantBits: halfOf(uuid, 0),
          LeastSignificantBits: halfOf(uuid, 16),
        }),
      })
    : build(UUID, { String: uuid }),
);

const systemMetadata = fc
  .record(
    {
      type: text,
      'content-type': fc.constantFrom('application/json', 'application/octet-stream', 'text/plain'),
      created: fc.oneof(
        fc
          .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
          .map((at) => `${at.getTime()}9999`),
        fc.constantFrom('', 'yesterday', '12'),
      ),
      other: text,
    },
    { requiredKeys: [] },
  )
  .map((entries) => Object.entries(entries));

const records = fc
  .record({
    id: ids,
    stream: text,
    revision: uint64,
    position: uint64,
    prepare: uint64,
    system: systemMetadata,
    metadata: fc.oneof(json, bytes),
    data: fc.oneof(json, bytes),
  })
  .map(({ id, stream, revision, position, prepare, system, metadata, data }) => {
    const record = build(ReadResp.ReadEvent.RecordedEvent, {
      Id: id,
      StreamIdentifier: build(StreamIdentifier, { StreamName: Buffer.from(stream) }),
      StreamRevision: `${revision}`,
      CommitPosition: `${position}`,
      PreparePosition: `${prepare}`,
      CustomMetadata: metadata,
      Data: data,
    });
    const map = record.getMetadataMap?.() ?? new Map<string, string>();
    for (const [key, value] of system) map.set(key, value);
    return record;
  });

const places = fc.oneof(
  uint64.map((position) => ({ CommitPosition: `${position}` })),
  fc.constant({ NoPosition: new Empty() }),
  fc.constant({}),
);

const events = fc
  .tuple(fc.option(records, { nil: undefined }), fc.option(records, { nil: undefined }), places)
  .map(([Event, Link, place]) => response({ Event: build(ReadResp.ReadEvent, { Event, Link, ...place }) }));

/** Fields of a later version of the protocol, of every wire type. */
const UNKNOWN = Buffer.from([
  ...[0xf8, 0x3f, 0xff, 0x01],
  ...[0xf9, 0x3f, 1, 2, 3, 4, 5, 6, 7, 8],
  ...[0xfa, 0x3f, 3, 10, 20, 30],
  ...[0xfd, 0x3f, 1, 2, 3, 4],
]);

const lengthDelimited = (tag: number, value: Buffer): Buffer => {
  const length: number[] = [];
  for (let rest = value.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
};

describe('an event that was read', () => {
  it('is the same as through the official client, whatever it holds and lacks', () => {
    fc.assert(
      fc.property(events, (bytesRead) => expect(decodeReadResponse(bytesRead)).toEqual(officially(bytesRead))),
      { numRuns: 500 },
    );
  });

  it('is the same in every cut of the stream of bytes, as the embedded node writes it', () => {
    const proposed = fc.record({
      id: fc.uuid(),
      type: fc.string({ minLength: 1 }),
      isJson: fc.boolean(),
      data: fc.oneof(json, bytes),
      metadata: fc.oneof(json, bytes),
    });
    const placement = { stream: 'a-1', firstRevision: 7, firstPosition: 2 ** 40, createdAt: 1_767_225_600_000 };
    const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.array(proposed, { minLength: 1, maxLength: 20 }), cuts, (list, sizes) => {
        const frames = encodeFrames(list, placement);
        const messages: Buffer[] = [];
        const decoded: unknown[] = [];
        const deframer = new Deframer((message) => {
          messages.push(Buffer.from(message));
          decoded.push(decodeReadResponse(message));
        });
        for (let at = 0, turn = 0; at < frames.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          deframer.push(Buffer.from(frames.subarray(at, at + size)));
          at += size;
        }
        expect(decoded).toEqual(messages.map(officially));
        expect(decoded).toHaveLength(list.length);
      }),
    );
  });

  it('is what a later version of the protocol tells of it, without what is not known', () => {
    const frames = encodeFrames(
      [{ id: randomUUID(), type: 'A.v1', isJson: true, data: Buffer.from('{"a":1}'), metadata: Buffer.from('{}') }],
      { stream: 'a-1', firstRevision: 300, firstPosition: 5, createdAt: 0 },
    );
    const known = frames.subarray(5);
    const record = known.subarray(known.indexOf(0x0a, 3) + 3, known.length - 2);
    const widened = Buffer.concat([UNKNOWN, lengthDelimited(0x0a, Buffer.concat([UNKNOWN, record, UNKNOWN])), UNKNOWN]);
    const position = Buffer.from([0x18, 5]);
    const message = lengthDelimited(0x0a, Buffer.concat([widened, position, UNKNOWN]));
    expect(decodeReadResponse(Buffer.concat([UNKNOWN, message, UNKNOWN]))).toEqual(decodeReadResponse(known));
    expect(decodeReadResponse(known)).toMatchObject({ event: { revision: 300n, position: 5n, data: { a: 1 } } });
  });

  it('holds nothing of the bytes that it was read from', () => {
    const frames = encodeFrames(
      [{ id: randomUUID(), type: 'A', isJson: false, data: Buffer.from([1, 2]), metadata: Buffer.from([3]) }],
      { stream: 'a-1', firstRevision: 0, firstPosition: 1, createdAt: 0 },
    );
    const response = decodeReadResponse(frames.subarray(5));
    frames.fill(0);
    expect(response).toMatchObject({ event: { data: new Uint8Array([1, 2]), metadata: new Uint8Array([3]) } });
    const { data } = (response as Extract<Delivery, { kind: 'event' }>).event;
    expect((data as Uint8Array).buffer.byteLength).toBe(2);
  });

  it('is refused where its bytes end early, never read as less', () => {
    fc.assert(
      fc.property(fc.constantFrom(16, 300, 70_000), fc.nat(), (size, cut) => {
        const frames = encodeFrames(
          [
            {
              id: randomUUID(),
              type: 'A',
              isJson: true,
              data: Buffer.from(`"${'x'.repeat(size)}"`),
              metadata: Buffer.from('{}'),
            },
          ],
          { stream: 'a-1', firstRevision: 0, firstPosition: 1, createdAt: 0 },
        );
        const whole = frames.subarray(5);
        expect(() => decodeReadResponse(whole.subarray(0, 1 + (cut % (whole.length - 1))))).toThrow(RangeError);
      }),
    );
  });
});

describe('what a read answers beside events', () => {
  const decode = (fields: Fields): unknown => decodeReadResponse(response(fields));

  it('is a checkpoint at its commit position', () => {
    fc.assert(
      fc.property(uint64, uint64, (commit, prepare) => {
        const Checkpoint = build(ReadResp.Checkpoint, { CommitPosition: `${commit}`, PreparePosition: `${prepare}` });
        expect(decode({ Checkpoint })).toEqual({ kind: 'checkpoint', position: commit });
      }),
    );
  });

  it('is that the rest is live, or that there is no such stream', () => {
    expect(decode({ CaughtUp: new ReadResp.CaughtUp() })).toEqual({ kind: 'caught_up' });
    expect(decode({ StreamNotFound: new ReadResp.StreamNotFound() })).toEqual({ kind: 'not_found' });
  });

  it('is nothing where it tells nothing that is needed', () => {
    const Confirmation = build(ReadResp.SubscriptionConfirmation, { SubscriptionId: randomUUID() });
    expect(decode({ Confirmation })).toBeUndefined();
    expect(decode({ FellBehind: new ReadResp.FellBehind() })).toBeUndefined();
    expect(decode({ FirstStreamPosition: '5' })).toBeUndefined();
    expect(decode({ LastStreamPosition: '5' })).toBeUndefined();
    expect(decode({})).toBeUndefined();
  });
});
