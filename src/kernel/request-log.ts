import { type ActorType } from './audit-actors.js';
import { type TenantId } from './ids.js';

export interface RequestFilter {
  /** Inclusive. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly tenantId?: string | undefined;
  /** Of one status, both are the same. */
  readonly lowestStatus?: number | undefined;
  readonly highestStatus?: number | undefined;
  readonly route?: string | undefined;
  readonly errorCode?: string | undefined;
  /** The id of a key or a member, or what stands in place of one. */
  readonly actorId?: string | undefined;
  readonly actorType?: ActorType | undefined;
  readonly requestId?: string | undefined;
}

/** A request that was answered. It names no person. */
export interface LoggedRequest {
  readonly id: string;
  readonly answeredAt: Date;
  readonly requestId: string;
  readonly method: string;
  /** The route's template, or `unknown`. */
  readonly route: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** Null where the answer named no price. */
  readonly credits: number | null;
  readonly tenantId: string | null;
  readonly actorId: string;
  /** How many requests alike are counted in it. */
  readonly requests: number;
}

/** A row of the log, by its id, and in words that say nothing of other accounts. */
export type RequestPlace = Pick<LoggedRequest, 'id' | 'answeredAt' | 'requestId'>;

export interface RequestPage {
  readonly rows: readonly LoggedRequest[];
  /** The place whose id is `from` of the next page. Null at the end. */
  readonly next: RequestPlace | null;
}

/** Requests of one hour or one UTC day that ended alike. */
export interface RequestCount {
  readonly at: Date;
  readonly status: number;
  readonly errorCode: string | null;
  readonly requests: number;
}

export interface WantedCounts {
  readonly tenantId: TenantId;
  readonly since: Date;
  readonly by: 'hour' | 'day';
  readonly actorType?: ActorType | undefined;
}

export interface RequestCounts {
  /** Nothing before it was counted. */
  readonly since: Date;
  readonly counts: readonly RequestCount[];
}

/** Requests of one route. */
export interface RouteLoad {
  readonly route: string;
  readonly requests: number;
  /** Answered 5xx. */
  readonly failed: number;
  /** Answered 429. */
  readonly throttled: number;
  /** Within which 95 of 100 were answered. */
  readonly mostMs: number;
}

/** The API access log. The audit slice implements it. Everything throws Unavailable if Postgres does not respond. */
export abstract class RequestLog {
  /** Newest first, below the id `from`. A page may be short or empty although more may follow. */
  abstract page(filter: RequestFilter, limit: number, from: number | undefined): Promise<RequestPage>;
  /** The id of the row at this place of an account. Undefined where there is none any more. */
  abstract idAt(tenantId: TenantId, place: Omit<RequestPlace, 'id'>): Promise<number | undefined>;
  /** Counts by outcome of the newest 20,000 requests since then. */
  abstract counts(wanted: WantedCounts): Promise<RequestCounts>;
  /** Of the newest 20,000 requests since then, of all accounts. */
  abstract loads(since: Date): Promise<readonly RouteLoad[]>;
}
