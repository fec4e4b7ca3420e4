import { Injectable } from '@nestjs/common';
import { type Recorded } from '../kernel/events.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type LogPage, type LogRange, newestFirst } from '../platform/eventstore/newest-first.js';
import { OPERATOR_STREAM, type OperatorActed } from './domain/operator.events.js';

export type OperatorRecord = Recorded<OperatorActed>;

export interface OperatorFilter extends LogRange {
  readonly action?: string | undefined;
  readonly tenantId?: string | undefined;
}

/** Reads the operators' acts, newest first. */
@Injectable()
export class OperatorLog {
  constructor(private readonly store: EventStore) {}

  /** At most `limit` records from revision `from` downwards, by default from the newest. Throws Unavailable. */
  page(filter: OperatorFilter, limit: number, from?: bigint): Promise<LogPage<OperatorActed>> {
    const { action, tenantId } = filter;
    const fits = ({ data }: OperatorRecord): boolean =>
      (action === undefined || data.action === action) && (tenantId === undefined || data.tenantId === tenantId);
    return newestFirst(this.store, OPERATOR_STREAM, fits, { range: filter, limit, from });
  }
}
