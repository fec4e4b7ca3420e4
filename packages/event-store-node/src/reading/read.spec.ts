import { type Call } from '../grpc/call.js';
import { type EventLog } from '../log/event-log.js';
import { Pages } from '../log/pages.js';
import { Tail } from '../log/tail.js';
import { encodeFrames } from '../log/record.js';
import { type Row, type Statement } from '../postgres/session.js';
import { readAll } from './read.js';
import { type ReadRequest } from './request.js';

const EVENTS = 2_000;
const frames = encodeFrames(
  [
    {
      id: '00000000-0000-4000-8000-000000000001',
      type: 'tested',
      isJson: true,
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0),
    },
  ],
  { stream: 's', firstRevision: 1, firstPosition: 1, createdAt: 1 },
).toString('hex');

/** A log of rows with an event each, which notes how many rows it was asked for. */
class CountingReaders {
  readonly requestedRows: number[] = [];

  query({ text }: Statement, [place]: readonly unknown[]): Promise<Row[]> {
    const rows = Number(/LIMIT (\d+)/.exec(text)?.[1]);
    this.requestedRows.push(rows);
    const first = Math.min(Number(place) - 1, EVENTS);
    const length = Math.min(rows, first);
    return Promise.resolve(
      Array.from({ length }, (_, index) => [String(first - index), '1', String(first - index), '1', `\\x${frames}`]),
    );
  }
}

const backwards = (count: number, filter?: ReadRequest['filter']): ReadRequest => ({
  stream: undefined,
  from: 'end',
  direction: 'backwards',
  resolveLinks: false,
  count,
  subscription: false,
  filter,
  structuredIds: false,
});

describe('a read', () => {
  const play = async (request: ReadRequest, closed = new AbortController().signal) => {
    const readers = new CountingReaders();
    let bytes = 0;
    const sendAndDrain = (sent: Buffer) => {
      bytes += sent.length;
      return Promise.resolve();
    };
    const log = { pages: new Pages(readers), tail: new Tail(EVENTS) } as unknown as EventLog;
    await readAll(log, request, { closed, sendAndDrain } as unknown as Call);
    return { requestedRows: readers.requestedRows, events: bytes / (frames.length / 2) };
  };

  it.each([
    [1, [1]],
    [10, [10]],
    [11, [100]],
    [500, [500]],
    [501, [500, 1]],
    [1_030, [500, 500, 100]],
    [5_000, [500, 500, 500, 500, 500]],
  ])('of %d events asks for no more rows than it may need', async (count, requestedRows) => {
    expect(await play(backwards(count))).toEqual({ requestedRows, events: Math.min(count, EVENTS) });
  });

  it('that filters cannot know how many rows it needs', async () => {
    const filter = { on: 'type' as const, matches: () => true, checkpointInterval: 1 };
    expect((await play(backwards(1, filter))).requestedRows[0]).toBe(500);
  });

  it('of nobody any more asks for nothing', async () => {
    expect(await play(backwards(500), AbortSignal.abort())).toEqual({ requestedRows: [], events: 0 });
  });
});
