import { type Row } from '../postgres/session.js';
import { type Write } from './record.js';
import { Heads } from './heads.js';
import { RecentEvents } from './recent-events.js';
import { type Outcome, type WriteRequest } from './requests.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from './revision.js';
import { Tail } from './tail.js';
import { type Committer, type History, NotWritable, Writer } from './writer.js';

const event = (n: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  type: 'tested',
  isJson: true,
  data: Buffer.from('{}'),
  metadata: Buffer.alloc(0),
});
const append = (stream: string, expected: number, ...numbers: number[]): WriteRequest => ({
  kind: 'append',
  stream,
  expected,
  events: numbers.map(event),
  deadline: Number.POSITIVE_INFINITY,
});
const written = (revision: number, position: number): Outcome => ({ kind: 'written', revision, position });

/** Nothing is stored but what the owner keeps; reads beyond the recent events find nothing. */
const nothingStored: History = {
  compare: (_, afterRevision, eventIds, find) => {
    const places = eventIds.map(find);
    const matching = places.findIndex((place, index) => place?.revision !== afterRevision + 1 + index);
    const last = places.at(-1);
    return Promise.resolve(
      matching === -1 && last !== undefined ? { matching: eventIds.length, last } : { matching: Math.max(matching, 0) },
    );
  },
  readable: () => Promise.resolve(true),
};

class KeepingOwner implements Committer {
  readonly kept: number[] = [];
  abandoned = false;

  commit(writes: readonly Write[]): Promise<void> {
    if (this.abandoned) return Promise.reject(new Error('the session is lost'));
    this.kept.push(...writes.map(({ position }) => position));
    return Promise.resolve();
  }

  abandon(): void {
    this.abandoned = true;
  }
}

describe('the writer', () => {
  const writerWith = (history = nothingStored, query: () => Promise<Row[]> = () => Promise.resolve([])) => {
    const heads = new Heads({ query });
    const tail = new Tail(0);
    return { heads, tail, writer: new Writer(heads, tail, new RecentEvents(), history) };
  };
  const numbers = { position: 1, streamId: 1 };

  it('decides a group in order, each request on top of those before it', async () => {
    const { writer } = writerWith();
    const owner = new KeepingOwner();
    writer.start(owner, numbers);
    const outcomes = await Promise.all([
      writer.submit(append('a', NO_STREAM, 1, 2)),
      writer.submit(append('b', ANY, 1)),
      writer.submit(append('a', 1, 3)),
      writer.submit(append('a', NO_STREAM, 1, 2)),
      writer.submit(append('a', ANY, 3)),
      writer.submit(append('a', 0, 4)),
    ]);
    expect(outcomes).toEqual([
      written(1, 2),
      written(0, 3),
      written(2, 4),
      written(1, 2),
      written(2, 4),
      { kind: 'wrong-expected-revision', actual: 2 },
    ]);
    expect(owner.kept).toEqual([2, 3, 4]);
  });

  it.each([ANY, NO_STREAM])(
    'never takes a request for a repetition of one whose commit failed (expected %s)',
    async (expected) => {
      const { writer, heads, tail } = writerWith();
      const lost = new KeepingOwner();
      lost.abandon();
      writer.start(lost, numbers);
      for (let attempt = 0; attempt < 3; attempt++) {
        await expect(writer.submit(append('s', expected, 1))).rejects.toThrow();
        await expect(writer.submit(append('s', STREAM_EXISTS, 2))).rejects.toThrow(NotWritable);
      }
      expect(tail.position).toBe(0);
      expect((await heads.loaded('s')).committed).toEqual({ id: undefined, revision: -1, metadata: undefined });
      const owner = new KeepingOwner();
      writer.start(owner, numbers);
      expect(await writer.submit(append('s', expected, 1))).toEqual(written(0, 1));
      expect(owner.kept).toEqual([1]);
    },
  );

  it('refuses what a full disk does not take, and goes on with the same session once there is room', async () => {
    const { writer, tail } = writerWith();
    const owner = new KeepingOwner();
    const commit = owner.commit.bind(owner);
    owner.commit = () => Promise.reject(Object.assign(new Error('could not extend file'), { code: '53100' }));
    writer.start(owner, numbers);
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(writer.submit(append('s', NO_STREAM, 1))).rejects.toThrow('the disk of the event store is full');
    expect([owner.abandoned, tail.position]).toEqual([false, 0]);
    owner.commit = commit;
    expect(await writer.submit(append('s', NO_STREAM, 1))).toEqual(written(0, 1));
  });

  it('refuses alone what cannot be compared with what is stored, and keeps the log', async () => {
    const { writer } = writerWith({ ...nothingStored, compare: () => Promise.reject(new Error('out of reach')) });
    const owner = new KeepingOwner();
    writer.start(owner, numbers);
    const group = [append('s', NO_STREAM, 1), append('s', NO_STREAM, 2), append('s', 0, 3)];
    const results = await Promise.allSettled(group.map((request) => writer.submit(request)));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'refused'))).toEqual([
      written(0, 1),
      'refused',
      written(1, 2),
    ]);
    expect(owner.abandoned).toBe(false);
  });

  it('refuses alone those whose streams cannot be looked up, and writes to them as soon as they can', async () => {
    const loads: (() => Promise<Row[]>)[] = [
      () => Promise.resolve([]),
      () => Promise.reject(new Error('out of reach')),
      () => Promise.resolve([]),
    ];
    const { writer } = writerWith(nothingStored, () => loads.shift()?.() ?? Promise.resolve([]));
    const owner = new KeepingOwner();
    writer.start(owner, numbers);
    expect(await writer.submit(append('known', NO_STREAM, 1))).toEqual(written(0, 1));
    const known = writer.submit(append('known', 0, 2));
    await expect(writer.submit(append('other', ANY, 3))).rejects.toThrow('out of reach');
    expect(await known).toEqual(written(1, 2));
    expect(await writer.submit(append('other', ANY, 3))).toEqual(written(0, 3));
    expect(owner.abandoned).toBe(false);
  });

  it('finishes what it has taken under steady appends, and refuses the rest behind it', async () => {
    const { writer } = writerWith();
    const owner = new KeepingOwner();
    writer.start(owner, numbers);
    const results: string[] = [];
    let open = true;
    const keepAppending = async () => {
      for (let n = 0; open; n++) {
        await writer.submit(append('s', ANY)).then(
          ({ kind }) => results.push(kind),
          (error: Error) => results.push(error.name),
        );
        if (n > 1_000 || results.at(-1) === 'NotWritable') open = false;
      }
    };
    const appending = Promise.all([keepAppending(), keepAppending(), keepAppending()]);
    const taken = writer.submit(append('t', NO_STREAM, 1));
    await writer.finish();
    expect(await taken).toEqual(written(0, 1));
    await appending;
    expect(results.length).toBeLessThan(20);
    expect(results.at(-1)).toBe('NotWritable');
  });

  it('keeps nothing of a group whose log was lost and taken again while it was decided', async () => {
    const second = new KeepingOwner();
    let meanwhile: () => void = () => undefined;
    const { writer } = writerWith({
      ...nothingStored,
      readable: () => {
        meanwhile();
        return Promise.resolve(true);
      },
    });
    const first = new KeepingOwner();
    writer.start(first, numbers);
    await writer.submit(append('s', NO_STREAM, 1));
    meanwhile = () => {
      first.abandon();
      writer.stop(new NotWritable('lost'));
      writer.start(second, { position: 2, streamId: 2 });
    };
    const group = [writer.submit(append('s', ANY, 1)), writer.submit(append('s', ANY, 2))];
    expect((await Promise.allSettled(group)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await writer.submit(append('s', 0, 2))).toEqual(written(1, 2));
    expect(second.kept).toEqual([2]);
  });
});
