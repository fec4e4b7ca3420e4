import { decide, decideCompared } from './decide.js';
import { ANY, NO_STREAM, STREAM_EXISTS, TOMBSTONED } from './revision.js';

const known = new Map([
  ['a', { revision: 0, position: 10 }],
  ['b', { revision: 1, position: 11 }],
]);
const find = (id: string) => known.get(id);
const at = (revision: number, softDeleted = false) => ({ revision, exists: revision >= 0, softDeleted });
const conflictAt = (actual: number) => ({ kind: 'answer', outcome: { kind: 'wrong-expected-revision', actual } });
const deleted = { kind: 'answer', outcome: { kind: 'stream-deleted' } };

describe('deciding on an append', () => {
  it('takes what stands at the expected revision', () => {
    expect(decide(NO_STREAM, ['x'], at(-1), find)).toEqual({ kind: 'append' });
    expect(decide(4, ['x'], at(4), find)).toEqual({ kind: 'append' });
  });

  it('refuses a revision that the stream has not reached', () => {
    expect(decide(5, ['x'], at(4), find)).toEqual(conflictAt(4));
    expect(decide(0, ['x'], at(-1), find)).toEqual(conflictAt(-1));
  });

  it('compares where the stream has moved on', () => {
    expect(decide(3, ['x'], at(4), find)).toEqual({ kind: 'compare' });
  });

  it('appends unknown events that expect any revision and recognises known ones', () => {
    expect(decide(ANY, ['x', 'a'], at(1), find)).toEqual({ kind: 'append' });
    expect(decide(ANY, ['a', 'b'], at(1), find)).toEqual({ kind: 'repeated', revision: 1, position: 11 });
  });

  it('refuses a repetition that goes on differently', () => {
    expect(decide(ANY, ['a', 'b', 'x'], at(1), find)).toEqual(conflictAt(1));
  });

  it('lets nothing into a tombstoned stream', () => {
    for (const expected of [ANY, NO_STREAM, STREAM_EXISTS, 1]) {
      expect(decide(expected, ['x'], at(TOMBSTONED), find)).toEqual(deleted);
    }
  });

  it('wants a stream to exist where that is expected', () => {
    expect(decide(STREAM_EXISTS, ['x'], at(-1), find)).toEqual(conflictAt(-1));
    expect(decide(STREAM_EXISTS, ['x'], { ...at(-1), exists: true }, find)).toEqual({ kind: 'append' });
    expect(decide(STREAM_EXISTS, ['x'], at(2, true), find)).toEqual(deleted);
    expect(decide(STREAM_EXISTS, ['x'], at(2), find)).toEqual({ kind: 'append' });
  });
});

describe('deciding on an append that expects an earlier revision', () => {
  const last = { revision: 3, position: 30 };

  it('recognises it only when every event stands there', () => {
    expect(decideCompared(1, ['p', 'q'], at(5), { matching: 2, last })).toEqual({ kind: 'repeated', ...last });
    expect(decideCompared(1, ['p', 'q'], at(5), { matching: 1, last })).toEqual(conflictAt(5));
    expect(decideCompared(1, ['p'], at(5), { matching: 0 })).toEqual(conflictAt(5));
  });

  it('is a conflict without events', () => {
    expect(decideCompared(1, [], at(5), { matching: 0 })).toEqual(conflictAt(5));
  });

  it('begins a soft-deleted stream again where none is expected', () => {
    expect(decideCompared(NO_STREAM, ['p'], at(5, true), { matching: 0 })).toEqual({ kind: 'append' });
    expect(decideCompared(2, ['p'], at(5, true), { matching: 0 })).toEqual(conflictAt(5));
  });
});
