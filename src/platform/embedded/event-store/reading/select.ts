import { type EventLog } from '../log/event-log.js';
import { decodeRecord, frameSpans } from '../log/record.js';
import { type EventFilter } from './filter.js';
import { resolved } from './links.js';
import { withStructuredIds } from './structured-ids.js';

/** Which events of a row to send, and how. */
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

/** A whole row that is wanted as it is costs no look at its events. */
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

export async function select(log: EventLog, row: Row, selection: Selection): Promise<Selected> {
  if (selection.limit <= 0) return NONE;
  if (wantsWhole(row, selection)) return { frames: row.frames, count: row.events };
  const spans = [...frameSpans(row.frames)];
  if (selection.backwards) spans.reverse();
  const chosen: Buffer[] = [];
  for (const span of spans) {
    if (chosen.length >= selection.limit) break;
    const record = decodeRecord(row.frames, span);
    const place = record[selection.key];
    if (place < selection.from || place > selection.to) continue;
    if (selection.filter?.on === 'type' && !selection.filter.matches(record.type)) continue;
    if (selection.filter?.on === 'stream' && !selection.filter.matches(record.stream)) continue;
    const frame = selection.resolveLinks
      ? await resolved(log, row.frames, span, record)
      : row.frames.subarray(span.start, span.end);
    chosen.push(selection.structuredIds ? withStructuredIds(frame) : frame);
  }
  return { frames: Buffer.concat(chosen), count: chosen.length };
}
