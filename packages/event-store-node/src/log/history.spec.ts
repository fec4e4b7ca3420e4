import { randomUUID } from 'node:crypto';
import { type Heads } from './heads.js';
import { StoredHistory } from './history.js';
import { type PageRequest, type Pages, type StoredWrite } from './pages.js';
import { encodeFrames } from './record.js';

const STREAM_ID = 7;
const LENGTH = 1_000;
/** Of large events, a page holds fewer rows than were asked for. */
const MAX_ROWS = 4;

const ids = Array.from({ length: LENGTH }, () => randomUUID());

const storedAt = (revision: number): StoredWrite => {
  const event = { id: ids[revision] ?? '', type: 't', isJson: true, data: Buffer.alloc(0), metadata: Buffer.alloc(0) };
  const placement = { stream: 's', firstRevision: revision, firstPosition: revision + 1, createdAt: 0 };
  const frames = encodeFrames([event], placement);
  return { position: revision + 1, streamId: STREAM_ID, revision, events: 1, frames };
};

/** A stream of a thousand rows, and what is asked of Postgres about it: from which revision, how many rows. */
const history = () => {
  const requestedRows: [revision: number, rows: number | undefined][] = [];
  const streamFrom = (_stream: number, from: number, _created: number, request?: PageRequest) => {
    requestedRows.push([from, request?.rows]);
    const count = Math.min(request?.rows ?? LENGTH, MAX_ROWS, LENGTH - from);
    return Promise.resolve(Array.from({ length: count }, (_, index) => storedAt(from + index)));
  };
  const stored = new StoredHistory({} as Heads, { streamFrom } as unknown as Pages);
  const compare = (after: number, eventIds: readonly string[]) =>
    stored.compare(STREAM_ID, after, eventIds, () => undefined);
  return { compare, requestedRows };
};

describe('a comparison with what is stored', () => {
  it.each([
    ['all of it', ids.slice(11, 14), 3],
    ['none of it', [randomUUID(), randomUUID(), randomUUID()], 0],
    ['its beginning', [...ids.slice(11, 13), randomUUID()], 2],
  ])('asks for no more rows than events are proposed, where %s stands there', async (_, proposed, matching) => {
    const { compare, requestedRows } = history();
    expect(await compare(10, proposed)).toMatchObject({ matching });
    expect(requestedRows).toEqual([[11, 3]]);
  });

  it('goes on behind a page that is full of large events, for those that are left', async () => {
    const { compare, requestedRows } = history();
    const last = { revision: 20, position: 21 };
    expect(await compare(10, ids.slice(11, 21))).toEqual({ matching: 10, last });
    expect(requestedRows).toEqual([
      [11, 10],
      [15, 6],
      [19, 2],
    ]);
  });

  it('ends where the stream does', async () => {
    const { compare, requestedRows } = history();
    expect(await compare(LENGTH - 3, [...ids.slice(-2), randomUUID()])).toMatchObject({ matching: 2 });
    expect(requestedRows).toEqual([
      [LENGTH - 2, 3],
      [LENGTH, 1],
    ]);
  });
});
