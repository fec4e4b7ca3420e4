import { Injectable } from '@nestjs/common';
import { type AnnouncementType } from '../contract/collected.js';
import { BatchLoader } from '../kernel/batch-loader.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { Database } from '../platform/postgres/database.js';
import { mergedStatement } from '../platform/postgres/merged-statement.js';
import { type StoredAnnouncement, storedOf } from './sealed-members.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A delivery whose try is due, with its event. */
export interface DueDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly stream: string;
  /** Tries so far. */
  readonly attempts: number;
  readonly event: StoredAnnouncement;
}

/** What became of one try. */
export interface Attempt {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** From 1. */
  readonly attempt: number;
  readonly beganAt: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  /** Seconds after which the receiver wants to be asked again. */
  readonly retryAfter: number | null;
  readonly error: string | null;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date | null;
  /** What the try says of the receiver. Null for a test, which says nothing of the endpoint's deliveries. */
  readonly receiver: { readonly slow: boolean; readonly heldUntil: Date; readonly restsUntil: Date | null } | null;
}

/** How a receiver fares. */
export interface ReceiverState {
  readonly failingSince: Date | null;
  readonly slow: boolean;
  /** The event of the URL at which the endpoint has proved itself. Null before the first. */
  readonly provenUrl: string | null;
  /** Challenges that failed since. */
  readonly challenges: number;
}

/** How many requests a host takes now, and when it takes the next one. */
export interface Room {
  readonly granted: number;
  readonly next: Date;
}

interface DueRequest {
  readonly endpointId: string;
  readonly now: Date;
  readonly limit: number;
}

interface HoldRequest {
  readonly endpointId: string;
  readonly now: Date;
  readonly until: Date;
}

/** An endpoint with deliveries to come. */
interface Waiting {
  readonly endpointId: string;
  readonly due: boolean;
}

/** Another instance works on the endpoint. */
const NOT_OURS = Symbol('not ours');

interface DueRow {
  readonly endpointId: string;
  readonly id: string;
  readonly stream: string;
  readonly attempts: number;
  readonly eventId: string;
  readonly type: AnnouncementType;
  readonly occurredAt: Date;
  readonly data: string;
  readonly sealed: string | null;
  readonly test: boolean;
}

const DUE = `
  SELECT d.endpoint_id AS "endpointId", d.id, d.stream, d.attempts, a.id AS "eventId", a.type, a.occurred_at AS "occurredAt",
    a.data, a.sealed, a.test
  FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[]) AS r(endpoint_id, now, most)
  CROSS JOIN LATERAL (
    SELECT endpoint_id, id, stream, attempts, announcement, next_attempt_at, seq FROM webhook_deliveries
    WHERE endpoint_id = r.endpoint_id AND next_attempt_at <= r.now ORDER BY next_attempt_at, seq LIMIT r.most
  ) AS d
  JOIN announcements a ON a.seq = d.announcement ORDER BY d.next_attempt_at, d.seq`;

/** Every statement locks rows in the order of their ids, so that instances wait in turn and do not deadlock. */
const HOLD = `
  INSERT INTO webhook_receivers AS w (endpoint_id, holder, held_until)
  SELECT endpoint_id, $1, until FROM unnest($2::uuid[], $4::timestamptz[]) AS r(endpoint_id, until) ORDER BY endpoint_id
  ON CONFLICT (endpoint_id) DO UPDATE SET holder = $1, held_until = excluded.held_until
  WHERE (w.held_until <= (SELECT min(now) FROM unnest($3::timestamptz[]) AS now) OR w.holder = $1)
    AND w.rests_until <= (SELECT min(now) FROM unnest($3::timestamptz[]) AS now)
  RETURNING endpoint_id AS "endpointId", failing_since AS "failingSince", slow, proven_url AS "provenUrl", challenges`;

/** Whoever works on the endpoint goes on by what this says. */
const PROVEN = `
  INSERT INTO webhook_receivers AS w (endpoint_id, holder, held_until, proven_url) VALUES ($1, $2, $4, $3)
  ON CONFLICT (endpoint_id) DO UPDATE SET proven_url = $3, challenges = 0, failing_since = NULL, slow = false,
    rests_until = CASE WHEN w.challenges > 0 THEN '-infinity' ELSE w.rests_until END`;

const CHALLENGE_FAILED = `
  UPDATE webhook_receivers SET challenges = challenges + 1, slow = true, rests_until = $3,
    failing_since = coalesce(failing_since, $2) WHERE endpoint_id = $1`;

const REST = 'UPDATE webhook_receivers SET rests_until = $2 WHERE endpoint_id = $1';

/** Ends the rest of an endpoint that could not prove itself. */
const RESUME =
  'UPDATE webhook_receivers SET rests_until = $2, challenges = 0 WHERE endpoint_id = $1 AND challenges > 0';

/** Requests that a host takes at once, and those that it takes a second. */
const BURST = 100;
const A_SECOND = 100;

/** Each request moves the host's pace on by its share of a second. So much is granted that the pace is at most a burst ahead. */
const TAKE_ROOM = `
  INSERT INTO webhook_hosts AS h (host, paced_until, granted)
  VALUES ($1, $2::timestamptz + make_interval(secs => least($3::integer, ${BURST})::float8 / ${A_SECOND}), least($3, ${BURST}))
  ON CONFLICT (host) DO UPDATE SET
    granted = greatest(0, least($3, ${BURST} - ceil(extract(epoch FROM greatest(h.paced_until, $2) - $2) * ${A_SECOND})))::integer,
    paced_until = greatest(h.paced_until, $2) + make_interval(secs =>
      greatest(0, least($3, ${BURST} - ceil(extract(epoch FROM greatest(h.paced_until, $2) - $2) * ${A_SECOND})))::float8 / ${A_SECOND})
  RETURNING granted, paced_until AS "pacedUntil"`;

const RELEASE = `
  WITH locked AS (
    SELECT endpoint_id FROM webhook_receivers WHERE endpoint_id = ANY($2::uuid[]) ORDER BY endpoint_id FOR UPDATE
  )
  UPDATE webhook_receivers w SET held_until = r.now
  FROM locked JOIN unnest($2::uuid[], $3::timestamptz[]) AS r(endpoint_id, now) USING (endpoint_id)
  WHERE w.endpoint_id = locked.endpoint_id AND w.holder = $1`;

/** A delivery that was removed meanwhile keeps no attempt. */
const NOTE = `
  WITH r AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[], $7::text[],
      $8::text[], $9::timestamptz[], $10::boolean[], $11::timestamptz[], $12::integer[], $13::timestamptz[])
      AS r(delivery_id, endpoint_id, attempt, began_at, duration_ms, response_status, error, status, next_attempt_at, slow, held_until,
        retry_after, rests_until)
  ), present AS (
    SELECT id FROM webhook_deliveries WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE
  ), moved AS (
    UPDATE webhook_deliveries d SET attempts = r.attempt, status = r.status, next_attempt_at = r.next_attempt_at
    FROM r JOIN present ON present.id = r.delivery_id WHERE d.id = r.delivery_id AND d.attempts < r.attempt RETURNING d.id
  ), locked AS (
    SELECT endpoint_id FROM webhook_receivers WHERE endpoint_id = ANY($2::uuid[]) ORDER BY endpoint_id FOR UPDATE
  ), fares AS (
    UPDATE webhook_receivers w SET slow = s.slow, held_until = greatest(w.held_until, s.held_until),
      rests_until = greatest(w.rests_until, s.rests_until),
      failing_since = CASE WHEN s.delivered THEN NULL ELSE coalesce(w.failing_since, s.began_at) END
    FROM (SELECT endpoint_id, bool_or(slow) AS slow, bool_or(status = 'delivered') AS delivered, min(began_at) AS began_at,
            max(held_until) AS held_until, max(rests_until) AS rests_until FROM r WHERE slow IS NOT NULL GROUP BY endpoint_id) AS s
      JOIN locked USING (endpoint_id)
    WHERE w.endpoint_id = s.endpoint_id
  )
  INSERT INTO webhook_attempts (delivery_id, attempt, began_at, duration_ms, response_status, retry_after, error)
  SELECT r.delivery_id, r.attempt, r.began_at, r.duration_ms, r.response_status, r.retry_after, r.error
  FROM r JOIN moved ON moved.id = r.delivery_id ON CONFLICT DO NOTHING`;

/** Locks a part of an endpoint's deliveries, in the order of their ids. */
const partOf = (condition: string): string => `
  WITH part AS MATERIALIZED (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ${condition} LIMIT $2),
  locked AS (SELECT id FROM webhook_deliveries WHERE id IN (SELECT id FROM part) ORDER BY id FOR UPDATE)`;

const GIVE_UP = `${partOf('AND next_attempt_at IS NOT NULL')}
  UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE id IN (SELECT id FROM locked)
    AND next_attempt_at IS NOT NULL RETURNING 1`;

const REMOVE = `${partOf('')}
  DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM locked) RETURNING 1`;

/** Removes announcements but for their places. Their deliveries go, and are locked first, in the order of their ids. */
const removeAnnouncements = (which: string): string => `
  WITH part AS MATERIALIZED (SELECT seq FROM announcements WHERE NOT removed AND ${which}),
  locked AS (
    SELECT id FROM webhook_deliveries WHERE announcement IN (SELECT seq FROM part) ORDER BY id FOR UPDATE
  ),
  gone AS (DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM locked))
  UPDATE announcements SET removed = true, data = '{}', sealed = NULL, identity_id = NULL
  WHERE seq IN (SELECT seq FROM part) RETURNING 1`;

const PURGE = removeAnnouncements(
  'seq IN (SELECT seq FROM announcements WHERE NOT removed ORDER BY seq LIMIT $2) AND stored_at < $1',
);

/** A tenant's last place stays, so that a reader that missed nothing goes on after whatever time. */
const PURGE_PLACES = `
  DELETE FROM announcements WHERE seq IN (
    SELECT seq FROM announcements place WHERE removed AND stored_at < $1 AND (test OR EXISTS (
      SELECT FROM announcements later WHERE later.tenant_id = place.tenant_id AND NOT later.test AND later.seq > place.seq))
    ORDER BY seq LIMIT $2) RETURNING 1`;

const FORGET = removeAnnouncements('tenant_id = $1 AND identity_id = $2 LIMIT $3');
/** Announcements that one statement forgets, so that it ends within its budget. */
const FORGOTTEN_AT_ONCE = 100;

/** Endpoints in memory at once while those with due deliveries are looked for. */
const ENDPOINTS_AT_ONCE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Steps from endpoint to endpoint through the index, however many deliveries each has, and stops after a page of them. */
const ENDPOINTS_WAITING = `
  WITH RECURSIVE waiting AS (
    (SELECT endpoint_id, 1 AS place FROM webhook_deliveries
     WHERE next_attempt_at IS NOT NULL AND endpoint_id > $2 ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT next.endpoint_id, waiting.place + 1 FROM waiting CROSS JOIN LATERAL (
      SELECT d.endpoint_id FROM webhook_deliveries d
      WHERE d.next_attempt_at IS NOT NULL AND d.endpoint_id > waiting.endpoint_id ORDER BY d.endpoint_id LIMIT 1
    ) AS next WHERE waiting.place < $3
  )
  SELECT w.endpoint_id AS "endpointId", (r.held_until IS NULL OR (r.held_until <= $1 AND r.rests_until <= $1))
    AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = w.endpoint_id AND d.next_attempt_at <= $1) AS due
  FROM waiting w LEFT JOIN webhook_receivers r ON r.endpoint_id = w.endpoint_id ORDER BY w.endpoint_id`;

const columnsOfAttempts = (attempts: readonly Attempt[]): readonly unknown[] => [
  attempts.map((attempt) => attempt.deliveryId),
  attempts.map((attempt) => attempt.endpointId),
  attempts.map((attempt) => attempt.attempt),
  attempts.map((attempt) => attempt.beganAt),
  attempts.map((attempt) => attempt.durationMs),
  attempts.map((attempt) => attempt.responseStatus),
  attempts.map((attempt) => attempt.error),
  attempts.map((attempt) => attempt.status),
  attempts.map((attempt) => attempt.nextAttemptAt),
  attempts.map(({ receiver }) => receiver?.slow ?? null),
  attempts.map(({ receiver }) => receiver?.heldUntil ?? null),
  attempts.map((attempt) => attempt.retryAfter),
  attempts.map(({ receiver }) => receiver?.restsUntil ?? null),
];

/** The deliveries' table. Everything throws Unavailable if Postgres does not respond. */
@Injectable()
export class Deliveries {
  /** Names this process among those that deliver. */
  private readonly holder = newUuid();
  /** Work on many endpoints shares statements: while one runs, the next gather. */
  private readonly noted;
  private readonly released;
  private readonly dueTogether = new BatchLoader<DueRequest, readonly DueDelivery[]>((wanted) => this.findDue(wanted));
  private readonly heldTogether = new BatchLoader<HoldRequest, ReceiverState | typeof NOT_OURS>((wanted) =>
    this.takeHold(wanted),
  );

  constructor(private readonly database: Database) {
    this.released = mergedStatement<Pick<HoldRequest, 'endpointId' | 'now'>>(database, {
      name: 'webhook-release',
      text: RELEASE,
      columns: (rows) => [this.holder, rows.map(({ endpointId }) => endpointId), rows.map(({ now }) => now)],
    });
    this.noted = mergedStatement<Attempt>(database, {
      name: 'webhook-attempts',
      text: NOTE,
      columns: columnsOfAttempts,
    });
  }

  /** The earliest due first; of one stream the earlier event first. */
  due(endpointId: string, now: Date, limit: number): Promise<readonly DueDelivery[]> {
    return this.dueTogether.get(endpointId, { endpointId, now, limit });
  }

  note(attempt: Attempt): Promise<void> {
    return this.noted(`${attempt.deliveryId}/${attempt.attempt}`, attempt);
  }

  /** Takes the endpoint for this instance until `until`. Undefined if another instance has it. */
  async hold(endpointId: string, now: Date, until: Date): Promise<ReceiverState | undefined> {
    const held = await this.heldTogether.get(endpointId, { endpointId, now, until });
    return held === NOT_OURS ? undefined : held;
  }

  /** The endpoint has echoed a challenge at this URL, or passed a test. */
  async proven(endpointId: string, urlEvent: string, now: Date): Promise<void> {
    await this.database.query(PROVEN, [endpointId, this.holder, urlEvent, now], 'webhook-proven');
  }

  /** Notes a challenge that failed. The endpoint rests until the next one. */
  async unproven(endpointId: string, now: Date, until: Date): Promise<void> {
    await this.database.query(CHALLENGE_FAILED, [endpointId, now, until], 'webhook-unproven');
  }

  /** Leaves the endpoint alone until then. */
  async rest(endpointId: string, until: Date): Promise<void> {
    await this.database.query(REST, [endpointId, until], 'webhook-rest');
  }

  async resume(endpointId: string, now: Date): Promise<void> {
    await this.database.query(RESUME, [endpointId, now], 'webhook-resume');
  }

  /** Those of these endpoints that have proved themselves, each with the event of the URL. */
  async provenUrls(endpointIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<{ readonly endpointId: string; readonly provenUrl: string }>(
      `SELECT endpoint_id AS "endpointId", proven_url AS "provenUrl" FROM webhook_receivers
       WHERE endpoint_id = ANY($1::uuid[]) AND proven_url IS NOT NULL`,
      [endpointIds],
      'webhook-proven-urls',
    );
    return new Map(rows.map(({ endpointId, provenUrl }) => [endpointId, provenUrl]));
  }

  /** Asks for room for so many requests to a host, over all tenants and instances. `host`: a keyed hash. */
  async takeRoom(host: string, wanted: number, now: Date): Promise<Room> {
    const [row] = await this.database.query<{ readonly granted: number; readonly pacedUntil: Date }>(
      TAKE_ROOM,
      [host, now, wanted],
      'webhook-room',
    );
    invariant(row !== undefined, 'a host has its row');
    return { granted: row.granted, next: new Date(row.pacedUntil.getTime() - ((BURST - 1) / A_SECOND) * 1_000) };
  }

  release(endpointId: string, now: Date): Promise<void> {
    return this.released(endpointId, { endpointId, now });
  }

  /** Endpoints with a delivery that is due, and that no instance works on, a page at a time. */
  async *endpointsDue(now: Date, atOnce = ENDPOINTS_AT_ONCE): AsyncGenerator<readonly string[]> {
    for (let last: string | undefined = BEFORE_ALL; last !== undefined;) {
      const rows: readonly Waiting[] = await this.database.query<Waiting>(
        ENDPOINTS_WAITING,
        [now, last, atOnce],
        'webhook-endpoints-waiting',
      );
      const due = rows.filter((row) => row.due).map(({ endpointId }) => endpointId);
      if (due.length > 0) yield due;
      last = rows.length < atOnce ? undefined : rows.at(-1)?.endpointId;
    }
  }

  /** Ends open deliveries without a further try. Returns how many, `limit` at most. */
  async giveUp(endpointId: string, limit: number): Promise<number> {
    const rows = await this.database.query(GIVE_UP, [endpointId, limit]);
    return rows.length;
  }

  /** Removes what a deleted endpoint leaves. Returns how many deliveries, `limit` at most. */
  async remove(endpointId: string, limit: number): Promise<number> {
    await this.database.query('DELETE FROM webhook_receivers WHERE endpoint_id = $1', [endpointId]);
    const rows = await this.database.query(REMOVE, [endpointId, limit]);
    return rows.length;
  }

  /** Removes the places of removed announcements that were stored before this. Returns how many, `limit` at most. */
  async purgePlaces(before: Date, limit: number): Promise<number> {
    const rows = await this.database.query(PURGE_PLACES, [before, limit]);
    return rows.length;
  }

  /** Removes announcements stored before this, with their deliveries. Returns how many, `limit` at most. */
  async purge(before: Date, limit: number): Promise<number> {
    const rows = await this.database.query(PURGE, [before, limit]);
    return rows.length;
  }

  /** Removes the announcements that name an identity, with their deliveries. Returns how many. */
  async forget(tenantId: TenantId, identityId: string): Promise<number> {
    for (let forgotten = 0; ;) {
      const rows = await this.database.query(FORGET, [tenantId, identityId, FORGOTTEN_AT_ONCE]);
      forgotten += rows.length;
      if (rows.length < FORGOTTEN_AT_ONCE) return forgotten;
    }
  }

  private async findDue(wanted: ReadonlyMap<string, DueRequest>): Promise<ReadonlyMap<string, readonly DueDelivery[]>> {
    const requests = [...wanted.values()];
    const found = new Map<string, DueDelivery[]>(requests.map(({ endpointId }) => [endpointId, []]));
    const rows = await this.database.query<DueRow>(
      DUE,
      [
        requests.map(({ endpointId }) => endpointId),
        requests.map(({ now }) => now),
        requests.map(({ limit }) => limit),
      ],
      'webhook-due',
    );
    for (const { endpointId, id, stream, attempts, eventId, ...event } of rows)
      found.get(endpointId)?.push({
        id,
        endpointId,
        stream,
        attempts,
        event: { ...storedOf(event), id: eventId },
      });
    return found;
  }

  private async takeHold(
    wanted: ReadonlyMap<string, HoldRequest>,
  ): Promise<ReadonlyMap<string, ReceiverState | typeof NOT_OURS>> {
    const requests = [...wanted.values()];
    const held = new Map<string, ReceiverState | typeof NOT_OURS>(
      requests.map(({ endpointId }) => [endpointId, NOT_OURS]),
    );
    const rows = await this.database.query<ReceiverState & { readonly endpointId: string }>(
      HOLD,
      [
        this.holder,
        requests.map(({ endpointId }) => endpointId),
        requests.map(({ now }) => now),
        requests.map(({ until }) => until),
      ],
      'webhook-hold',
    );
    for (const { endpointId, ...state } of rows) held.set(endpointId, state);
    return held;
  }
}
