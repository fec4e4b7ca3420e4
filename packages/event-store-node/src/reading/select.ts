import { type EventLog } from '../log/event-log.js';
import { decodeRecord, frameSpans, streamOf } from '../log/record.js';
import { type EventFilter } from './filter.js';
import { resolved } from './links.js';
import { withStructuredIds } from './structured-ids.js';

/** Selects the events of a row to send, and their form. */
export interface Selection {
  /** Bounds on position or revision, both inclusive. */
  readonly key: 'position' | 'revision';
  readonly from: number;
  readonly to: number;
  readonly backwards: boolean;
  readonly limit: number;
  readonly filter: EventFilter | undefined;
  readonly resolveLinks: boolean;
  readonly structuredIds: boolean;
}

export interface Selected {
  readonly frames: Buffer;
  readonly count: number;
}

interface Row {
  readonly position: number;
  readonly revision: number;
  readonly events: number;
  readonly frames: Buffer;
}

const NONE: Selected = { frames: Buffer.alloc(0), count: 0 };

/** All events of a row belong to one stream, so the first one decides on a filter by stream. */
function ofMatchingStream(row: Row, selection: Selection): Selection | undefined {
  const [first] = frameSpans(row.frames);
  if (first === undefined || !selection.filter?.matches(streamOf(row.frames, first))) return undefined;
  return { ...selection, filter: undefined };
}

/** A row that is wanted whole needs no look at its events. */
export function wantsWhole(row: Row, selection: Selection): boolean {
  const last = row[selection.key];
  return (
    last - row.events + 1 >= selection.from &&
    last <= selection.to &&
    row.events <= selection.limit &&
    (!selection.backwards || row.events === 1) &&
    selection.filter === undefined &&
    !selection.resolveLinks &&
    !selection.structuredIds
  );
}

export async function select(log: EventLog, row: Row, wanted: Selection): Promise<Selected> {
  if (wanted.limit <= 0) return NONE;
  const selection = wanted.filter?.on === 'stream' ? ofMatchingStream(row, wanted) : wanted;
  if (selection === undefined) return NONE;
  if (wantsWhole(row, selection)) return { frames: row.frames, count: row.events };
  const spans = [...frameSpans(row.frames)];
  if (selection.backwards) spans.reverse();
  const chosen: Buffer[] = [];
  for (const span of spans) {
    if (chosen.length >= selection.limit) break;
    const record = decodeRecord(row.frames, span);
    const place = record[selection.key];
    if (place < selection.from || place > selection.to) continue;
    if (selection.filter !== undefined && !selection.filter.matches(record.type)) continue;
    const frame = selection.resolveLinks
      ? await resolved(log, row.frames, span, record)
      : row.frames.subarray(span.start, span.end);
    chosen.push(selection.structuredIds ? withStructuredIds(frame) : frame);
  }
  return { frames: Buffer.concat(chosen), count: chosen.length };
}
