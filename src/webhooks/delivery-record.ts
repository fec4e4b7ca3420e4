import { Injectable } from '@nestjs/common';
import { type AnnouncementType } from '../kernel/contract.js';
import { type TenantId } from '../kernel/ids.js';
import { type DeliveryStatus, type RequestEvent, RequestEvents } from '../kernel/request-events.js';
import { Database } from '../platform/postgres/database.js';

const HOUR_MS = 3_600_000;

/** A delivery with its tries, oldest first, as its tenant sees it. */
export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: AnnouncementType;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly test: boolean;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly began_at: string;
    readonly duration_ms: number;
    readonly response_status: number | null;
    readonly retry_after: number | null;
    readonly error: string | null;
  }[];
}

export interface DeliveryWithResponses extends Omit<DeliveryRow, 'attempts'> {
  readonly attempts: readonly (DeliveryRow['attempts'][number] & { readonly response: string | null })[];
}

export interface DeliveryPage {
  readonly endpointId: string;
  readonly status?: DeliveryStatus | undefined;
  readonly type?: AnnouncementType | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** The id of a delivery: older ones follow. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A delivery with its tries, and with what receivers answered to them only where that is asked for. */
const deliveriesWith = (response: string): string => `
  SELECT d.id, d.endpoint_id AS "endpointId", a.id AS "eventId", a.type, d.status, d.created_at AS "createdAt",
    d.next_attempt_at AS "nextAttemptAt", d.test,
    coalesce((SELECT json_agg(json_build_object('attempt', t.attempt, 'began_at', t.began_at, 'duration_ms', t.duration_ms,
                'response_status', t.response_status, 'retry_after', t.retry_after, 'error', t.error${response}) ORDER BY t.attempt)
              FROM webhook_attempts t WHERE t.delivery_id = d.id), '[]'::json) AS attempts
  FROM webhook_deliveries d JOIN announcements a ON a.seq = d.announcement AND NOT a.removed`;

const ONE = `${deliveriesWith(", 'response', t.response")} WHERE d.id = $1 AND d.tenant_id = $2`;

/** Names only what is asked for, so that each question goes through its index. */
const listOf = ({ status, before, type, since }: DeliveryPage): string => `${deliveriesWith('')}
  WHERE d.endpoint_id = $1 AND ${status === undefined ? '$2::text IS NULL' : 'd.status = $2'}
    AND ${before === undefined ? '$3::uuid IS NULL' : 'd.seq < (SELECT seq FROM webhook_deliveries WHERE id = $3 AND endpoint_id = $1)'}
    AND ${type === undefined ? '$5::text IS NULL' : 'a.type = $5'}
    AND ${since === undefined ? '$6::timestamptz IS NULL' : 'd.created_at >= $6'}
  ORDER BY d.seq DESC LIMIT $4`;

export const HEALTH_HOURS = 24;

/** The newest deliveries that an endpoint's health is read from. */
const HEALTH_OF = 50_000;

/** Deliveries that were created in one hour. */
export interface HourOfDeliveries {
  readonly hour: Date;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
}

const HEALTH = `
  SELECT hour, count(status) FILTER (WHERE status = 'delivered')::int AS delivered,
    count(status) FILTER (WHERE status = 'failed')::int AS failed, count(status) FILTER (WHERE status = 'pending')::int AS pending
  FROM generate_series($2::timestamptz, $3::timestamptz, interval '1 hour') AS hour
  LEFT JOIN (
    SELECT status, created_at FROM webhook_deliveries
    WHERE endpoint_id = $1 AND created_at >= $2 AND NOT test ORDER BY created_at DESC LIMIT ${HEALTH_OF}
  ) AS newest ON created_at >= hour AND created_at < hour + interval '1 hour'
  GROUP BY hour ORDER BY hour`;

/** Events whose last delivery to the endpoint failed. The new ids follow from the old ones, so that two calls at once add each once. */
const REPEAT_FAILED = `
  INSERT INTO webhook_deliveries
    (id, tenant_id, endpoint_id, announcement, stream, status, created_at, next_attempt_at, test)
  SELECT md5('again' || d.id)::uuid, tenant_id, endpoint_id, announcement, stream, 'pending', $3, $3, false
  FROM webhook_deliveries d
  WHERE endpoint_id = $1 AND status = 'failed' AND NOT test AND created_at >= $2
    AND announcement IN (SELECT seq FROM announcements WHERE NOT removed) AND NOT EXISTS (
    SELECT FROM webhook_deliveries later
    WHERE later.announcement = d.announcement AND later.endpoint_id = d.endpoint_id AND later.seq > d.seq)
  ORDER BY seq LIMIT $4
  ON CONFLICT (id) DO NOTHING RETURNING id`;

const OF_REQUEST = `
  SELECT a.id AS "eventId", a.type, a.occurred_at AS "occurredAt",
    coalesce((SELECT json_agg(json_build_object('id', d.id, 'endpointId', d.endpoint_id, 'status', d.status) ORDER BY d.seq)
              FROM (SELECT * FROM webhook_deliveries WHERE announcement = a.seq ORDER BY seq DESC LIMIT 20) AS d),
      '[]'::json) AS deliveries
  FROM announcements a
  WHERE hashtextextended(a.request_id, 0) = hashtextextended($2, 0) AND a.request_id = $2 AND a.tenant_id = $1 AND NOT a.removed
  ORDER BY a.seq LIMIT 100`;

/** What tenants ask of deliveries, and what they order. Everything throws Unavailable if Postgres does not respond. */
@Injectable()
export class DeliveryRecord extends RequestEvents {
  constructor(private readonly database: Database) {
    super();
  }

  override ofRequest(tenantId: TenantId, requestId: string): Promise<readonly RequestEvent[]> {
    return this.database.query<RequestEvent>(OF_REQUEST, [tenantId, requestId], 'webhook-events-of-request');
  }

  /** Newest first. */
  list(page: DeliveryPage): Promise<readonly DeliveryRow[]> {
    const { endpointId, status, type, since, before, limit } = page;
    return this.database.query<DeliveryRow>(
      listOf(page),
      [endpointId, status ?? null, before ?? null, limit, type ?? null, since ?? null],
      'webhook-deliveries',
    );
  }

  /** The last 24 hours, the oldest first; the last one has not ended. Tests do not count. */
  async health(
    endpointId: string,
    now: Date,
  ): Promise<{ readonly hours: readonly HourOfDeliveries[]; readonly isPart: boolean }> {
    const last = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    const first = new Date(last.getTime() - (HEALTH_HOURS - 1) * HOUR_MS);
    const hours = await this.database.query<HourOfDeliveries>(HEALTH, [endpointId, first, last], 'webhook-health');
    const sum = hours.reduce((all, { delivered, failed, pending }) => all + delivered + failed + pending, 0);
    return { hours, isPart: sum >= HEALTH_OF };
  }

  /** With what the receiver answered to each try, sealed. Undefined where the account has none of this id. */
  async find(tenantId: TenantId, deliveryId: string): Promise<DeliveryWithResponses | undefined> {
    const [row] = await this.database.query<DeliveryWithResponses>(ONE, [deliveryId, tenantId], 'webhook-delivery');
    return row;
  }

  async endpointOf(tenantId: TenantId, deliveryId: string): Promise<string | undefined> {
    const rows = await this.database.query<{ endpointId: string }>(
      `SELECT d.endpoint_id AS "endpointId" FROM webhook_deliveries d
       JOIN announcements a ON a.seq = d.announcement AND NOT a.removed WHERE d.id = $1 AND d.tenant_id = $2`,
      [deliveryId, tenantId],
    );
    return rows[0]?.endpointId;
  }

  /** A new delivery of the same event to the same endpoint, due at once. Does nothing where it exists. */
  async repeat(deliveryId: string, newId: string, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO webhook_deliveries
         (id, tenant_id, endpoint_id, announcement, stream, status, created_at, next_attempt_at, test)
       SELECT $2, tenant_id, endpoint_id, announcement, stream, 'pending', $3, $3, test FROM webhook_deliveries
       WHERE id = $1 AND announcement IN (SELECT seq FROM announcements WHERE NOT removed) ON CONFLICT (id) DO NOTHING`,
      [deliveryId, newId, now],
    );
  }

  /** New deliveries of what was created since then and failed, the oldest first, `most` at most. Resolves with their number. */
  async repeatFailed(endpointId: string, since: Date, now: Date, most: number): Promise<number> {
    return (await this.database.query(REPEAT_FAILED, [endpointId, since, now, most])).length;
  }

  /**
   * Adds a test event and its delivery, which only the caller tries: it counts as failed until its one try says otherwise. Returns when the next test may come, if `most` were
   * made after `since`.
   */
  addTest(test: NewTest): Promise<Date | undefined> {
    const { tenantId, endpointId, eventId, deliveryId, type, data, now } = test;
    return this.database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhook.test.${endpointId}`]);
      const [earlier] = await transaction.query<{ at: Date }>(
        `SELECT created_at AS at FROM webhook_deliveries WHERE endpoint_id = $1 AND test ORDER BY seq DESC
         OFFSET $2 LIMIT 1`,
        [endpointId, test.most - 1],
      );
      if (earlier !== undefined && earlier.at > test.since) return earlier.at;
      const [{ seq } = { seq: '' }] = await transaction.query<{ seq: string }>(
        `INSERT INTO announcements (id, tenant_id, type, occurred_at, data, test, stored_at)
         VALUES ($1, $2, $3, $5, $4, true, $5) RETURNING seq`,
        [eventId, tenantId, type, JSON.stringify(data), now],
      );
      await transaction.query(
        `INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, announcement, stream, status, created_at, test)
         VALUES ($1, $2, $3, $4, 'test', 'failed', $5, true)`,
        [deliveryId, tenantId, endpointId, seq, now],
      );
      return undefined;
    });
  }
}

export interface NewTest {
  readonly tenantId: TenantId;
  readonly endpointId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly type: AnnouncementType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly now: Date;
  readonly most: number;
  readonly since: Date;
}
