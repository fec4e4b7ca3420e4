import { type Recorded } from '../kernel/events.js';
import { type StreamPurged } from '../retention/domain/retention.events.js';
import { type PurgedRows } from './domain/drift.js';

export { retentionStream } from '../retention/domain/retention.events.js';

const NOTHING: PurgedRows = { below: 0, upTo: '' };

/** What the purges up to a position have dropped of the rows of a credits stream. `newestFirst`: purges of its owner. */
export const purgedRowsOf = (
  stream: string,
  position: bigint,
  newestFirst: readonly Recorded<StreamPurged>[],
): PurgedRows =>
  newestFirst
    .filter((event) => event.data.stream === stream && event.position <= position)
    .reduce((purged, { data }) => {
      const [below, upTo] = [data.rowsBelow ?? data.firstKept, data.occurredBefore.slice(0, 10)];
      return { below: Math.max(purged.below, below), upTo: upTo > purged.upTo ? upTo : purged.upTo };
    }, NOTHING);
