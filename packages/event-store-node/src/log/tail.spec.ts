import fc from 'fast-check';
import { type Write } from './record.js';
import { Tail } from './tail.js';

const write = (position: number, bytes = 100): Write => ({
  streamId: 1,
  stream: 's',
  position,
  revision: position,
  events: 1,
  createdAt: 0,
  frames: Buffer.alloc(bytes),
});

describe('the tail of the log', () => {
  it('gives every place what lies behind it, or says that it no longer holds it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 * 1024 * 1024 }), { maxLength: 12 }), (sizes) => {
        const tail = new Tail(0);
        sizes.forEach((size, index) => tail.publish([write(index + 1, size)]));
        for (let place = 0; place <= sizes.length; place++) {
          const held = tail.after(place);
          const positions = held?.map(({ position }) => position);
          const expected = Array.from({ length: sizes.length - place }, (_, index) => place + 1 + index);
          expect(positions ?? expected).toEqual(expected);
        }
        expect(tail.after(sizes.length)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps a bounded part of the log', () => {
    const tail = new Tail(0);
    for (let position = 1; position <= 100; position++) tail.publish([write(position, 1024 * 1024)]);
    expect(tail.after(0)).toBeUndefined();
    expect(tail.after(99)).toHaveLength(1);
    expect(tail.after(80)).toBeUndefined();
  });

  it('wakes those who wait, when something comes and when they are called off', async () => {
    const tail = new Tail(0);
    const never = new AbortController();
    const waiting = tail.beyond(0, never.signal);
    tail.publish([write(1)]);
    await waiting;
    const calledOff = tail.beyond(1, never.signal);
    never.abort();
    await calledOff;
  });

  it('holds nothing from before a new beginning', () => {
    const tail = new Tail(0);
    tail.publish([write(1), write(2)]);
    tail.restart(5);
    expect(tail.after(2)).toBeUndefined();
    expect(tail.after(5)).toEqual([]);
  });
});
