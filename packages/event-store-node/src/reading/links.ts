import { type EventLog } from '../log/event-log.js';
import { readableRange } from '../log/readable.js';
import { decodeRecord, frameSpans, type FrameSpan, type StoredRecord } from '../log/record.js';
import { LINK_TYPE } from '../log/stream-metadata.js';
import { linked } from './responses.js';

/** The frame to send for a stored event when links are to be resolved. */
export async function resolved(log: EventLog, frames: Buffer, span: FrameSpan, record: StoredRecord): Promise<Buffer> {
  if (record.type !== LINK_TYPE) return frames.subarray(span.start, span.end);
  const target = await findTarget(log, record.data.toString());
  return linked(target?.message, record.message, record.position);
}

/** A link's data is the revision, an @ and the stream. */
async function findTarget(log: EventLog, link: string): Promise<StoredRecord | undefined> {
  const [, digits, stream] = /^(\d+)@(.+)$/s.exec(link) ?? [];
  if (digits === undefined || stream === undefined) return undefined;
  const revision = Number(digits);
  const { life, streamId, from, last, createdAfter } = await readableRange(log, stream);
  if (life !== 'live' || revision < from || revision > last) return undefined;
  const [row] = await log.pages.streamFrom(streamId, revision, createdAfter, { rows: 1 });
  if (row === undefined) return undefined;
  for (const span of frameSpans(row.frames)) {
    const record = decodeRecord(row.frames, span);
    if (record.revision === revision) return record;
  }
  return undefined;
}
