import { randomUUID } from 'node:crypto';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { decodeRecord, encodeFrames, frameSpans, streamOf } from './record.js';

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const proposed = fc.record({
  id: fc.constant(null).map(() => randomUUID()),
  type: fc.string({ minLength: 1, unit: 'grapheme' }),
  isJson: fc.boolean(),
  data: bytes,
  metadata: bytes,
});
const place = fc.record({
  stream: fc.string({ minLength: 1, unit: 'grapheme' }),
  firstRevision: fc.integer({ min: 0, max: 2 ** 40 }),
  firstPosition: fc.integer({ min: 1, max: 2 ** 48 }),
  createdAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
});

describe('a stored event', () => {
  it('reads back as it was proposed, by ourselves and by the generated classes of the client', () => {
    fc.assert(
      fc.property(fc.array(proposed, { minLength: 1, maxLength: 5 }), place, (events, placement) => {
        const frames = encodeFrames(events, placement);
        const spans = [...frameSpans(frames)];
        expect(spans).toHaveLength(events.length);
        spans.forEach((span, index) => {
          const record = decodeRecord(frames, span);
          const expected = {
            ...events[index],
            stream: placement.stream,
            revision: placement.firstRevision + index,
            position: placement.firstPosition + index,
          };
          expect(record).toMatchObject(expected);
          expect(streamOf(frames, span)).toBe(placement.stream);
          const read = ReadResp.deserializeBinary(frames.subarray(span.start + 5, span.end)).getEvent();
          expect(read?.getCommitPosition()).toBe(String(expected.position));
          const recorded = read?.getEvent();
          expect(recorded?.getStreamRevision()).toBe(String(expected.revision));
          expect(Buffer.from(recorded?.getData_asU8() ?? [])).toEqual(events[index]?.data);
          expect(recorded?.getMetadataMap().get('type')).toBe(events[index]?.type);
          expect(recorded?.getMetadataMap().get('created')).toBe(`${placement.createdAt}0000`);
        });
      }),
    );
  });
});
