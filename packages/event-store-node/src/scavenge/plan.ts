import { decodeRecord, frameSpans } from '../log/record.js';

/** The rest of a row: nothing, all of it, or its last events. */
export type Remainder =
  { readonly kind: 'none' | 'all' } | { readonly kind: 'end'; readonly frames: Buffer; readonly events: number };

/** The events of a row from revision `from` on. Rows are only ever cut at their start, so their ranges stay whole. */
export function cutRow(
  row: { readonly revision: number; readonly events: number; readonly frames: Buffer },
  from: number,
): Remainder {
  if (row.revision < from) return { kind: 'none' };
  if (row.revision - row.events + 1 >= from) return { kind: 'all' };
  for (const span of frameSpans(row.frames)) {
    const { revision } = decodeRecord(row.frames, span);
    if (revision >= from)
      return { kind: 'end', frames: row.frames.subarray(span.start), events: row.revision - from + 1 };
  }
  return { kind: 'none' };
}
