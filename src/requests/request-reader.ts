import { Inject, Injectable } from '@nestjs/common';
import { type AuditLogEntry, auditEntriesBefore } from '../../projections/ledger/audit-log.queries.js';
import { type Transaction, transactionsOfRequest } from '../../projections/ledger/billing.queries.js';
import { type ActorType } from '../kernel/audit-actors.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { type RequestEvent, RequestEvents } from '../kernel/request-events.js';
import {
  type LoggedRequest,
  type RequestCounts,
  type RequestFilter,
  RequestLog,
  type RequestPage,
  type RequestPlace,
  type WantedCounts,
} from '../kernel/request-log.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';

/** Days that accounts see. */
export const DAYS_SHOWN = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours. Longer times are counted by days. */
const MOST_BY_HOUR = 72;
const MAX_ENTRIES = 100;

/** A request, and what it led to. */
export interface FollowedRequest {
  readonly request: LoggedRequest;
  readonly transactions: readonly Transaction[];
  readonly entries: readonly AuditLogEntry[];
  readonly events: readonly RequestEvent[];
}

export type WantedRequests = Omit<RequestFilter, 'start' | 'end' | 'tenantId'> & {
  readonly tenantId: TenantId;
  readonly since: Date | undefined;
};

/** The requests of an account. Everything throws Unavailable. */
@Injectable()
export class RequestReader {
  constructor(
    private readonly log: RequestLog,
    private readonly events: RequestEvents,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Newest first, after this place. Undefined where there is no such place. */
  async page(
    { since, ...filter }: WantedRequests,
    limit: number,
    after: Omit<RequestPlace, 'id'> | undefined,
  ): Promise<RequestPage | undefined> {
    const { start, end } = this.range();
    const from = after === undefined ? undefined : await this.log.idAt(filter.tenantId, after);
    if (after !== undefined && from === undefined) return undefined;
    return this.log.page({ ...filter, start: since !== undefined && since > start ? since : start, end }, limit, from);
  }

  /** Undefined where no request of the account had this id. Of several the newest. */
  async find(tenantId: TenantId, requestId: string): Promise<FollowedRequest | undefined> {
    const range = this.range();
    const { rows } = await this.log.page({ ...range, tenantId, requestId }, 1, undefined);
    const [request] = rows;
    if (request === undefined) return undefined;
    const [transactions, { entries }, events] = await Promise.all([
      transactionsOfRequest(this.readModels, tenantId, requestId, range.start),
      auditEntriesBefore(this.readModels, { ...range, tenantId, requestId }, { limit: MAX_ENTRIES }),
      this.events.ofRequest(tenantId, requestId),
    ]);
    return { request, transactions, entries, events };
  }

  /** Of the last hours, by hour or, where they are many, by UTC day. */
  async counts(
    tenantId: TenantId,
    hours: number,
    actorType: ActorType | undefined,
  ): Promise<RequestCounts & Pick<WantedCounts, 'by'>> {
    const by = hours <= MOST_BY_HOUR ? 'hour' : 'day';
    const since = new Date(this.clock.now().getTime() - hours * HOUR_MS);
    return { by, ...(await this.log.counts({ tenantId, since, by, actorType })) };
  }

  /** Whole UTC days, and requests of this moment, even if another instance's clock is ahead. */
  private range(): { readonly start: Date; readonly end: Date } {
    const now = this.clock.now().getTime();
    return { start: new Date(Math.floor(now / DAY_MS - DAYS_SHOWN) * DAY_MS), end: new Date(now + 1_000) };
  }
}
