import { Injectable } from '@nestjs/common';
import { CLOCK_SLACK_MS } from '../kernel/clock.js';
import { type Recorded } from '../kernel/events.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { OPERATOR_STREAM, type OperatorActed } from './domain/operator.events.js';

export type OperatorRecord = Recorded<OperatorActed>;

export interface OperatorFilter {
  /** Inclusive. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly action?: string | undefined;
  readonly tenantId?: string | undefined;
}

export interface OperatorLogPage {
  readonly records: readonly OperatorRecord[];
  /** Revision at which the next page starts. Undefined on the last page. */
  readonly next: bigint | undefined;
}

/** Most events that one page examines, so that a narrow filter over seven years ends in time. */
const MAX_LOOKED_AT = 20_000;

const fits = ({ data, metadata }: OperatorRecord, { start, end, action, tenantId }: OperatorFilter): boolean => {
  const time = Date.parse(metadata.time);
  if (time < start.getTime() || time >= end.getTime()) return false;
  return (action === undefined || data.action === action) && (tenantId === undefined || data.tenantId === tenantId);
};

/** Reads the operators' acts, newest first. */
@Injectable()
export class OperatorLog {
  constructor(private readonly store: EventStore) {}

  /** At most `limit` records from revision `from` downwards, by default from the newest. Throws Unavailable. */
  async page(filter: OperatorFilter, limit: number, from?: bigint): Promise<OperatorLogPage> {
    const records: OperatorRecord[] = [];
    const earliest = filter.start.getTime() - CLOCK_SLACK_MS;
    let looked = 0;
    const options = { direction: 'backwards' as const, ...(from === undefined ? {} : { from }) };
    for await (const page of this.store.readPages(OPERATOR_STREAM, options)) {
      for (const stored of page as readonly OperatorRecord[]) {
        if (stored.created.getTime() < earliest) return { records, next: undefined };
        if (records.length === limit || looked === MAX_LOOKED_AT) return { records, next: stored.revision };
        looked += 1;
        if (fits(stored, filter)) records.push(stored);
      }
    }
    return { records, next: undefined };
  }
}
