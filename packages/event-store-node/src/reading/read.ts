import { type Call } from '../grpc/call.js';
import { GrpcError, Status } from '@kyc/esdb-wire/status';
import { type EventLog } from '../log/event-log.js';
import { type PageRequest, type StoredWrite } from '../log/pages.js';
import { readableRange } from '../log/readable.js';
import { streamDeleted } from '../protocol/errors.js';
import { type ReadRequest } from './request.js';
import { streamNotFound } from './responses.js';
import { select, type Selection } from './select.js';

const CHUNK_BYTES = 64 * 1024;
const LAST = Number.MAX_SAFE_INTEGER;

type PageAt = (place: number, request: PageRequest) => Promise<StoredWrite[]>;

/**
 * Reads up to the last published position. Postgres may already hold committed events that are not published yet. A reader
 * could learn of such a position and assume that a caught-up subscriber has passed it. The subscriber would get that event
 * later.
 */
export async function readAll(log: EventLog, request: ReadRequest, call: Call): Promise<void> {
  const published = log.tail.position;
  const backwards = request.direction === 'backwards';
  const fromPosition = request.from === 'start' ? 0 : request.from === 'end' ? LAST : request.from;
  if (backwards) {
    const start = Math.min(fromPosition, published + 1);
    const selection = selectionOf(request, 'position', 0, start - 1);
    await send(log, call, selection, start, (place, page) => log.pages.allBefore(place, page));
  } else {
    const selection = selectionOf(request, 'position', fromPosition, published);
    await send(log, call, selection, fromPosition - 1, (place, page) => log.pages.allAfter(place, page));
  }
}

export async function readStream(log: EventLog, stream: string, request: ReadRequest, call: Call): Promise<void> {
  const backwards = request.direction === 'backwards';
  if (!backwards && request.from === 'end')
    throw new GrpcError(Status.unknown, 'a stream cannot be read forwards from its end');
  const { life, streamId, from, last, createdAfter } = await readableRange(log, stream);
  if (life === 'tombstoned') throw streamDeleted(stream);
  if (life === 'missing') {
    call.send(streamNotFound(stream));
    return;
  }
  const start = request.from === 'start' ? 0 : request.from === 'end' ? last : request.from;
  if (backwards) {
    const selection = selectionOf(request, 'revision', from, Math.min(start, last));
    await send(log, call, selection, Math.min(start, last), (place, page) =>
      log.pages.streamUpTo(streamId, place, createdAfter, page),
    );
  } else {
    const selection = selectionOf(request, 'revision', Math.max(start, from), last);
    await send(log, call, selection, Math.max(start, from), (place, page) =>
      log.pages.streamFrom(streamId, place, createdAfter, page),
    );
  }
}

function selectionOf(request: ReadRequest, key: 'position' | 'revision', from: number, to: number): Selection {
  const { count, filter, resolveLinks, structuredIds } = request;
  return {
    key,
    from,
    to,
    backwards: request.direction === 'backwards',
    limit: count,
    filter,
    resolveLinks,
    structuredIds,
  };
}

/** Sends page after page, as fast as the client takes them. The next page is fetched while one is sent, if it is needed. */
async function send(log: EventLog, call: Call, selection: Selection, start: number, pageAt: PageAt): Promise<void> {
  let limit = selection.limit;
  const fetch = (place: number, wanted: number) =>
    pageAt(place, selection.filter === undefined ? { rows: wanted, signal: call.closed } : { signal: call.closed });
  let page = selection.from > selection.to || call.closed.aborted ? undefined : fetch(start, limit);
  while (page !== undefined && limit > 0 && !call.closed.aborted) {
    const rows: readonly StoredWrite[] = await page;
    const missing = limit - certain(rows, selection);
    const place = missing > 0 ? nextPlace(rows, selection) : undefined;
    page = place === undefined ? undefined : fetch(place, missing);
    // A failure of the page ahead is seen when it is awaited.
    page?.catch(() => undefined);
    const out: Buffer[] = [];
    let bytes = 0;
    for (const row of rows) {
      const { frames, count } = await select(log, row, { ...selection, limit });
      limit -= count;
      out.push(frames);
      bytes += frames.length;
      if (bytes >= CHUNK_BYTES) {
        await call.sendAndDrain(Buffer.concat(out.splice(0)));
        bytes = 0;
      }
    }
    await call.sendAndDrain(Buffer.concat(out));
  }
}

/** Number of events of these rows that are sent in any case. A filter makes it 0. */
function certain(rows: readonly StoredWrite[], { key, from, to, filter }: Selection): number {
  if (filter !== undefined) return 0;
  return rows.reduce((total, row) => {
    const within = Math.min(row[key], to) - Math.max(row[key] - row.events + 1, from) + 1;
    return total + Math.max(within, 0);
  }, 0);
}

/** The start of the next page. Undefined where there is none. */
function nextPlace(rows: readonly StoredWrite[], selection: Selection): number | undefined {
  const row = rows.at(-1);
  if (row === undefined) return undefined;
  const last = row[selection.key];
  const first = last - row.events + 1;
  if (selection.backwards) {
    const place = selection.key === 'position' ? first : first - 1;
    return first <= selection.from ? undefined : place;
  }
  if (last >= selection.to) return undefined;
  return selection.key === 'position' ? last : last + 1;
}
