import { CLOCK_SLACK_MS } from '../../kernel/clock.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { type Recorded } from '../../kernel/events.js';
import { type EventStore } from './event-store.js';

export interface LogPage<Event extends DomainEvent> {
  readonly records: readonly Recorded<Event>[];
  /** Revision at which the next page starts. Undefined on the last page. */
  readonly next: bigint | undefined;
}

export interface LogRange {
  /** Inclusive. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
}

/** Most events that one page examines, so that a narrow filter over seven years ends in time. */
const MAX_LOOKED_AT = 20_000;

const isWithin = (time: number, { start, end }: LogRange): boolean => time >= start.getTime() && time < end.getTime();

/** At most `limit` events of the stream that fit, from revision `from` downwards, by default from the newest. Throws Unavailable. */
export const newestFirst = async <Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  fits: (event: Recorded<Event>) => boolean,
  { range, limit, from }: { readonly range: LogRange; readonly limit: number; readonly from?: bigint | undefined },
): Promise<LogPage<Event>> => {
  const records: Recorded<Event>[] = [];
  const earliest = range.start.getTime() - CLOCK_SLACK_MS;
  let looked = 0;
  const options = { direction: 'backwards' as const, ...(from === undefined ? {} : { from }) };
  for await (const page of store.readPages(stream, options)) {
    for (const stored of page as readonly Recorded<Event>[]) {
      if (stored.created.getTime() < earliest) return { records, next: undefined };
      if (records.length === limit || looked === MAX_LOOKED_AT) return { records, next: stored.revision };
      looked += 1;
      if (isWithin(Date.parse(stored.metadata.time), range) && fits(stored)) records.push(stored);
    }
  }
  return { records, next: undefined };
};
