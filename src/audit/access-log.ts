import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ACTOR_FORMS, type ActorType } from '../kernel/audit-actors.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import {
  type LoggedRequest,
  type RequestCount,
  type RequestCounts,
  type RequestFilter,
  RequestLog,
  type RequestPage,
  type RequestPlace,
  type RouteLoad,
  type WantedCounts,
} from '../kernel/request-log.js';
import { type AnsweredRequest } from '../http/request-trail.js';
import { Metrics } from '../observability/metrics.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { copyLine } from '../platform/postgres/copy-rows.js';
import { Database } from '../platform/postgres/database.js';
import { CLOCK } from '../platform/tokens.js';
import { RefusedStrangers } from './refused-strangers.js';

/** Days that the access log is kept. */
export const ACCESSES_KEPT = 90;

const DAY = 86_400_000;
/** Of a UTF-16 unit in UTF-8. */
const MAX_BYTES = 3;
const FLUSH_INTERVAL_MS = 1_000;
const DROP_INTERVAL_MS = 3_600_000;
const READ_AT_ONCE = 20_000;
/** Milliseconds by which a row may be written after newer ones: an instance's clock, or an outage of Postgres. */
const LATE_MS = 600_000;
/** Bytes of requests that wait in memory while Postgres is away, about 70,000. Newer ones are counted as lost. */
const MAX_WAITING = 16 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
/** Bytes of one COPY, of about 4,000 requests. */
const MAX_AT_ONCE = 1024 * 1024;
const NEWLINE = 0x0a;
/** Serialises changes of the days' tables among all instances. */
const DAYS_LOCK = 7_305_001;

const PARTITION = /^api_accesses_(\d{8})$/;

const COPY = `
  COPY api_accesses (answered_at, request_id, method, route, status, error_code, duration_ms, credits, tenant_id, actor_id, requests)
  FROM STDIN`;

/** A regular expression of the ids, as Postgres reads it. */
const formOf = (type: ActorType | undefined): string | null => (type === undefined ? null : ACTOR_FORMS[type].source);

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const lineOf = (request: AnsweredRequest, requests = 1): string =>
  copyLine([
    request.answeredAt.toISOString(),
    request.requestId,
    request.method,
    request.route,
    request.status,
    request.errorCode,
    request.durationMs,
    request.credits,
    request.tenantId,
    request.actorId,
    requests,
  ]);

/** What was looked through for a page. */
interface Searched {
  readonly searched: string;
  readonly oldest: string | null;
  readonly oldestAt: Date;
  readonly oldestRequest: string;
}

/**
 * A time within a day, a status, a route, a code and an actor have no index, which every request would pay for. So a page looks
 * through so many rows at most. Eight bytes find a request as well as its id does.
 */
const pageOf = (requestId: string | undefined): string => `
  WITH searched AS MATERIALIZED (
    SELECT * FROM api_accesses
    WHERE answered_at >= date_trunc('day', $1::timestamptz, 'UTC') AND answered_at < $2 AND ($3::text IS NULL OR tenant_id = $3) AND ($4::bigint IS NULL OR id < $4)
      AND ${requestId === undefined ? '$12::text IS NULL' : 'hashtextextended(request_id, 0) = hashtextextended($12, 0) AND request_id = $12'}
    ORDER BY id DESC LIMIT $5
  ), found AS (
    SELECT * FROM searched
    WHERE answered_at >= $1 AND ($6::int IS NULL OR status >= $6) AND ($7::int IS NULL OR status <= $7) AND ($8::text IS NULL OR route = $8)
      AND ($9::text IS NULL OR error_code = $9) AND ($10::text IS NULL OR actor_id = $10)
      AND ($13::text IS NULL OR actor_id ~ $13)
    ORDER BY id DESC LIMIT $11
  )
  SELECT searched, oldest, "oldestAt", "oldestRequest", id, answered_at AS "answeredAt", request_id AS "requestId", method, route, status,
    error_code AS "errorCode", duration_ms AS "durationMs", credits, tenant_id AS "tenantId", actor_id AS "actorId", requests
  FROM (SELECT count(*) AS searched FROM searched) AS all_searched
    LEFT JOIN (SELECT id AS oldest, answered_at AS "oldestAt", request_id AS "oldestRequest" FROM searched
      ORDER BY id LIMIT 1) AS last ON true
    LEFT JOIN found ON true
  ORDER BY id DESC`;

const AT_PLACE = `
  SELECT min(id) AS id FROM api_accesses
  WHERE answered_at = $2 AND tenant_id = $1 AND hashtextextended(request_id, 0) = hashtextextended($3, 0) AND request_id = $3`;

const COUNTS = `
  WITH counted AS MATERIALIZED (
    SELECT answered_at, status, error_code, actor_id, requests FROM api_accesses
    WHERE answered_at >= date_trunc('day', $1::timestamptz, 'UTC') AND tenant_id = $2 ORDER BY id DESC LIMIT $4
  ), whole AS (SELECT CASE WHEN count(*) < $4 THEN $1 ELSE greatest($1, min(answered_at)) END AS since FROM counted)
  SELECT since, date_trunc($3, answered_at, 'UTC') AS at, status, error_code AS "errorCode", sum(requests)::int AS requests
  FROM whole LEFT JOIN counted ON answered_at >= $1 AND ($5::text IS NULL OR actor_id ~ $5) GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4`;

const LOADS = `
  WITH newest AS MATERIALIZED (
    SELECT answered_at, method, route, status, duration_ms, requests FROM api_accesses
    WHERE answered_at >= date_trunc('day', $1::timestamptz, 'UTC') ORDER BY id DESC LIMIT $2
  )
  SELECT method || ' ' || route AS route, sum(requests)::int AS requests,
    coalesce(sum(requests) FILTER (WHERE status >= 500), 0)::int AS failed,
    coalesce(sum(requests) FILTER (WHERE status = 429), 0)::int AS throttled,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS "mostMs"
  FROM newest WHERE answered_at >= $1 GROUP BY 1`;

/** The last row that was looked through, if older ones may be within the time. */
const reached = (searched: Searched | undefined, start: Date): RequestPlace | undefined => {
  if (searched === undefined || searched.oldest === null) return undefined;
  const { oldest: id, oldestAt: answeredAt, oldestRequest: requestId } = searched;
  return answeredAt.getTime() < start.getTime() - LATE_MS ? undefined : { id, answeredAt, requestId };
};

/** Lines in one buffer. As strings they would outlive young generations of the heap, and each collection would copy them. */
class Lines {
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private used = 0;

  get isEmpty(): boolean {
    return this.used === 0;
  }

  /** Returns false where there is no more room. */
  add(line: string): boolean {
    const end = this.used + line.length * MAX_BYTES;
    if (end > this.bytes.length && !this.grow(end)) return false;
    this.used += this.bytes.write(line, this.used);
    return true;
  }

  /** Hands over what is there, in pieces of whole lines. What fails stays, and what is added meanwhile. */
  async write(copy: (rows: Buffer) => Promise<void>): Promise<void> {
    for (let left = this.used; left > 0;) {
      const { bytes } = this;
      const end = left <= MAX_AT_ONCE ? left : bytes.lastIndexOf(NEWLINE, MAX_AT_ONCE) + 1;
      await copy(bytes.subarray(0, end));
      this.bytes.copyWithin(0, end, this.used);
      this.used -= end;
      left -= end;
    }
    if (this.used === 0 && this.bytes.length > MAX_AT_ONCE) this.bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  private grow(least: number): boolean {
    if (least > MAX_WAITING) return false;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, Math.min(MAX_WAITING, this.bytes.length * 2)));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
    return true;
  }
}

/** The API access log: noted in memory, written in batches each second, kept for 90 days in a table a day. */
@Injectable()
export class AccessLog extends RequestLog implements OnApplicationShutdown {
  /** What waits for the next round, by day. */
  private readonly waiting = new Map<string, Lines>();
  private readonly strangers = new RefusedStrangers();
  private round = Promise.resolve();
  /** Days whose table this process has seen. */
  private readonly days = new Set<string>();
  private readonly lost: (reason: string) => void;

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super();
    this.lost = metrics.counter('access_log_lost_total', 'Requests that the access log lost, by reason', 'reason');
  }

  note(request: AnsweredRequest): void {
    if (this.strangers.isWhole(request)) this.add(request);
  }

  private add(request: AnsweredRequest, requests?: number): void {
    const day = dayOf(request.answeredAt);
    const lines = this.waiting.get(day) ?? new Lines();
    this.waiting.set(day, lines);
    if (!lines.add(lineOf(request, requests))) this.lost('buffer_full');
  }

  /** What can't be written waits for the next round. */
  @Periodic({ every: FLUSH_INTERVAL_MS })
  flush(): Promise<void> {
    return this.flushUntil(this.clock.now());
  }

  async onApplicationShutdown(): Promise<void> {
    // The log may lose its last second. A stop does not wait for a store that is away.
    const allMinutes = new Date(this.clock.now().getTime() + DAY);
    await this.flushUntil(allMinutes).catch(() => this.lost('stopped'));
  }

  private flushUntil(ended: Date): Promise<void> {
    for (const { requests, ...last } of this.strangers.sumsBefore(ended)) this.add(last, requests);
    this.round = this.round.catch(() => undefined).then(() => this.writeAll());
    return this.round;
  }

  /** A new day's table waits for whoever reads the log, a back-up too. So it is made ahead, and a day begins without a wait. */
  @Periodic({ every: DROP_INTERVAL_MS })
  async prepareTomorrow(): Promise<void> {
    await this.prepare(dayOf(new Date(this.clock.now().getTime() + DAY)));
  }

  @Periodic({ every: DROP_INTERVAL_MS, role: 'jobs', alone: true })
  async dropOldDays(): Promise<void> {
    const oldest = dayOf(new Date(this.clock.now().getTime() - ACCESSES_KEPT * DAY)).replaceAll('-', '');
    const tables = await this.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'api_accesses'::regclass`,
    );
    for (const { name } of tables) {
      const [, day] = PARTITION.exec(name) ?? [];
      if (day !== undefined && day < oldest) await this.database.query(`DROP TABLE IF EXISTS ${name}`);
    }
  }

  override async page(filter: RequestFilter, limit: number, from: number | undefined): Promise<RequestPage> {
    const { start, end, tenantId, lowestStatus, highestStatus, route, errorCode, actorId, actorType, requestId } =
      filter;
    const form = formOf(actorType);
    const narrowing = [lowestStatus ?? null, highestStatus ?? null, route ?? null, errorCode ?? null, actorId ?? null];
    const isWholeDays = start.getTime() % DAY === 0;
    const isSearch = !isWholeDays || [...narrowing, form].some((wanted) => wanted !== null);
    const most = isSearch ? READ_AT_ONCE : limit + 1;
    const found = await this.database.query<Searched & (LoggedRequest | { readonly id: null })>(
      pageOf(requestId),
      [start, end, tenantId ?? null, from ?? null, most, ...narrowing, limit + 1, requestId ?? null, form],
      requestId === undefined ? 'api_accesses_page' : 'api_accesses_of_request',
    );
    const [searched] = found;
    const rows = found.filter((row): row is Searched & LoggedRequest => row.id !== null);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const isBounded = isSearch && Number(searched?.searched) === most;
    const next = last ?? (isBounded ? reached(searched, start) : undefined);
    return { rows: rows.slice(0, limit), next: next ?? null };
  }

  override async idAt(
    tenantId: TenantId,
    { answeredAt, requestId }: Omit<RequestPlace, 'id'>,
  ): Promise<number | undefined> {
    const values = [tenantId, answeredAt, requestId];
    const [row] = await this.database.query<{ id: string | null }>(AT_PLACE, values, 'api_accesses_at');
    return row?.id === null || row === undefined ? undefined : Number(row.id);
  }

  override async counts({ tenantId, since, by, actorType }: WantedCounts): Promise<RequestCounts> {
    const rows = await this.database.query<{ since: Date } & (RequestCount | { readonly at: null })>(
      COUNTS,
      [since, tenantId, by, READ_AT_ONCE, formOf(actorType)],
      'api_accesses_counts',
    );
    return { since: rows[0]?.since ?? since, counts: rows.filter((row) => row.at !== null) };
  }

  override loads(since: Date): Promise<readonly RouteLoad[]> {
    return this.database.query<RouteLoad>(LOADS, [since, READ_AT_ONCE], 'api_accesses_loads');
  }

  private async writeAll(): Promise<void> {
    for (const [day, lines] of this.waiting) {
      await this.prepare(day);
      await lines.write((rows) => this.database.copy(COPY, rows));
      if (lines.isEmpty && day !== dayOf(this.clock.now())) this.waiting.delete(day);
    }
  }

  private async prepare(day: string): Promise<void> {
    if (this.days.has(day)) return;
    const [from, to] = [new Date(`${day}T00:00:00Z`), new Date(Date.parse(`${day}T00:00:00Z`) + DAY)];
    await this.database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [DAYS_LOCK]);
      await transaction.query(
        `CREATE TABLE IF NOT EXISTS api_accesses_${day.replaceAll('-', '')} PARTITION OF api_accesses
         FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      );
    });
    this.days.add(day);
  }
}
