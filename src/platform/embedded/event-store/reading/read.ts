import { type Call } from '../grpc/call.js';
import { GrpcError, Status } from '../grpc/status.js';
import { type EventLog } from '../log/event-log.js';
import { type StoredWrite } from '../log/pages.js';
import { readableRange } from '../log/readable.js';
import { streamDeleted } from '../protocol/errors.js';
import { type ReadRequest } from './request.js';
import { streamNotFound } from './responses.js';
import { select, type Selection } from './select.js';

const CHUNK_BYTES = 64 * 1024;
const LAST = Number.MAX_SAFE_INTEGER;

/** Where the next page begins after a row, and the rows of a page. */
type PageAt = (place: number) => Promise<StoredWrite[]>;

export async function readAll(log: EventLog, request: ReadRequest, call: Call): Promise<void> {
  const backwards = request.direction === 'backwards';
  const start = request.from === 'start' ? 0 : request.from === 'end' ? LAST : request.from;
  if (backwards) {
    const selection = selectionOf(request, 'position', 0, start - 1);
    await send(log, call, selection, start, (place) => log.pages.allBefore(place));
  } else {
    const selection = selectionOf(request, 'position', start, LAST);
    await send(log, call, selection, start - 1, (place) => log.pages.allAfter(place));
  }
}

export async function readStream(log: EventLog, stream: string, request: ReadRequest, call: Call): Promise<void> {
  const backwards = request.direction === 'backwards';
  if (!backwards && request.from === 'end')
    throw new GrpcError(Status.unknown, 'a stream cannot be read forwards from its end');
  const { life, streamId, from, last, createdAfter } = await readableRange(log.heads, stream);
  if (life === 'tombstoned') throw streamDeleted(stream);
  if (life === 'missing') {
    call.send(streamNotFound(stream));
    return;
  }
  const start = request.from === 'start' ? 0 : request.from === 'end' ? last : request.from;
  if (backwards) {
    const selection = selectionOf(request, 'revision', from, Math.min(start, last));
    await send(log, call, selection, Math.min(start, last), (place) =>
      log.pages.streamUpTo(streamId, place, createdAfter),
    );
  } else {
    const selection = selectionOf(request, 'revision', Math.max(start, from), last);
    await send(log, call, selection, Math.max(start, from), (place) =>
      log.pages.streamFrom(streamId, place, createdAfter),
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

/** Page after page, as fast as the client takes them; the next page is fetched while one is sent. */
async function send(log: EventLog, call: Call, selection: Selection, start: number, pageAt: PageAt): Promise<void> {
  let limit = selection.limit;
  let page: Promise<StoredWrite[]> | undefined = selection.from > selection.to ? undefined : pageAt(start);
  while (page !== undefined && limit > 0 && !call.closed.aborted) {
    const rows = await page;
    page = nextPage(rows, selection, pageAt);
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

function nextPage(
  rows: readonly StoredWrite[],
  selection: Selection,
  pageAt: PageAt,
): Promise<StoredWrite[]> | undefined {
  const row = rows.at(-1);
  if (row === undefined) return undefined;
  const last = row[selection.key];
  const first = last - row.events + 1;
  if (selection.backwards) {
    const place = selection.key === 'position' ? first : first - 1;
    return first <= selection.from ? undefined : pageAt(place);
  }
  return last >= selection.to ? undefined : pageAt(selection.key === 'position' ? last : last + 1);
}
