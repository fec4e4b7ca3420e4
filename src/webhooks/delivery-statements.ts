/** The statements on the deliveries' tables. Each locks rows in the order of their ids, so that instances wait in turn. */

export const DUE = `
  SELECT d.endpoint_id AS "endpointId", d.id, d.stream, d.attempts, a.id AS "eventId", a.type, a.occurred_at AS "occurredAt",
    a.data, a.sealed, a.test
  FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[]) AS r(endpoint_id, now, most)
  CROSS JOIN LATERAL (
    SELECT endpoint_id, id, stream, attempts, announcement, next_attempt_at, seq FROM webhook_deliveries
    WHERE endpoint_id = r.endpoint_id AND next_attempt_at <= r.now ORDER BY next_attempt_at, seq LIMIT r.most
  ) AS d
  JOIN announcements a ON a.seq = d.announcement ORDER BY d.next_attempt_at, d.seq`;

/** Every statement locks rows in the order of their ids, so that instances wait in turn and do not deadlock. */
export const HOLD = `
  INSERT INTO webhook_receivers AS w (endpoint_id, holder, held_until)
  SELECT endpoint_id, $1, until FROM unnest($2::uuid[], $4::timestamptz[]) AS r(endpoint_id, until) ORDER BY endpoint_id
  ON CONFLICT (endpoint_id) DO UPDATE SET holder = $1, held_until = excluded.held_until
  WHERE (w.held_until <= (SELECT min(now) FROM unnest($3::timestamptz[]) AS now) OR w.holder = $1)
    AND w.rests_until <= (SELECT min(now) FROM unnest($3::timestamptz[]) AS now)
  RETURNING endpoint_id AS "endpointId", failing_since AS "failingSince", slow, proven_url AS "provenUrl"`;

/** Whoever works on the endpoint goes on by what this says. */
export const PROVEN = `
  INSERT INTO webhook_receivers AS w (endpoint_id, holder, held_until, proven_url) VALUES ($1, $2, $4, $3)
  ON CONFLICT (endpoint_id) DO UPDATE SET proven_url = $3, failing_since = NULL, slow = false,
    rests_until = CASE WHEN w.proven_url IS DISTINCT FROM $3 THEN '-infinity' ELSE w.rests_until END`;

/** By `$3` its rest is over. No row: it may not be asked. */
export const ASK_HOST = `
  INSERT INTO webhook_challenges AS c (tenant_id, host, failed, asked_at, rests_until) VALUES ($1, $2, 0, $3, $4)
  ON CONFLICT (tenant_id, host) DO UPDATE SET asked_at = $3, rests_until = $4
  WHERE c.rests_until <= $3 RETURNING failed`;

/** By `$4` it was asked last. What a test finds leaves the rest as it is. No row: it may not be asked. */
export const TEST_HOST = `
  INSERT INTO webhook_challenges AS c (tenant_id, host, failed, asked_at, rests_until) VALUES ($1, $2, 0, $3, $3)
  ON CONFLICT (tenant_id, host) DO UPDATE SET asked_at = $3 WHERE c.asked_at <= $4 RETURNING failed`;

export const HOST_FAILED = `
  UPDATE webhook_challenges SET failed = failed + 1, rests_until = $3 WHERE tenant_id = $1 AND host = $2`;

export const ENDPOINT_FAILED = `
  UPDATE webhook_receivers SET slow = true, rests_until = $3, failing_since = coalesce(failing_since, $2)
  WHERE endpoint_id = $1 AND proven_url IS DISTINCT FROM $4`;

export const REST = 'UPDATE webhook_receivers SET rests_until = $2 WHERE endpoint_id = $1';

/** Its hosts may be asked again, each at most as often as a test may, and several times before the last. */
export const RESUME_HOSTS = `
  UPDATE webhook_challenges SET rests_until = asked_at + $2::interval, failed = least(failed, 6) WHERE tenant_id = $1`;

/** Requests that a host takes at once, and those that it takes a second. */
export const BURST = 100;
export const A_SECOND = 100;

/** Each request moves the host's pace on by its share of a second. So much is granted that the pace is at most a burst ahead. */
export const TAKE_ROOM = `
  INSERT INTO webhook_hosts AS h (host, paced_until, granted)
  VALUES ($1, $2::timestamptz + make_interval(secs => least($3::integer, ${BURST})::float8 / ${A_SECOND}), least($3, ${BURST}))
  ON CONFLICT (host) DO UPDATE SET
    granted = greatest(0, least($3, ${BURST} - ceil(extract(epoch FROM greatest(h.paced_until, $2) - $2) * ${A_SECOND})))::integer,
    paced_until = greatest(h.paced_until, $2) + make_interval(secs =>
      greatest(0, least($3, ${BURST} - ceil(extract(epoch FROM greatest(h.paced_until, $2) - $2) * ${A_SECOND})))::float8 / ${A_SECOND})
  RETURNING granted, paced_until AS "pacedUntil"`;

export const RELEASE = `
  WITH locked AS (
    SELECT endpoint_id FROM webhook_receivers WHERE endpoint_id = ANY($2::uuid[]) ORDER BY endpoint_id FOR UPDATE
  )
  UPDATE webhook_receivers w SET held_until = r.now
  FROM locked JOIN unnest($2::uuid[], $3::timestamptz[]) AS r(endpoint_id, now) USING (endpoint_id)
  WHERE w.endpoint_id = locked.endpoint_id AND w.holder = $1`;

/**
 * A delivery that was removed meanwhile keeps no attempt. One that ended meanwhile keeps no response and is not tried again: its
 * person may be erased.
 */
export const NOTE = `
  WITH r AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[], $7::text[],
      $8::text[], $9::timestamptz[], $10::boolean[], $11::timestamptz[], $12::integer[], $13::timestamptz[], $14::text[])
      AS r(delivery_id, endpoint_id, attempt, began_at, duration_ms, response_status, error, status, next_attempt_at, slow, held_until,
        retry_after, rests_until, response)
  ), present AS (
    SELECT id, status = 'pending' OR test AS awaits FROM webhook_deliveries WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE
  ), moved AS (
    UPDATE webhook_deliveries d SET attempts = r.attempt,
      status = CASE WHEN present.awaits OR r.status = 'delivered' THEN r.status ELSE d.status END,
      next_attempt_at = CASE WHEN present.awaits THEN r.next_attempt_at END
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
  INSERT INTO webhook_attempts (delivery_id, attempt, began_at, duration_ms, response_status, retry_after, error, response)
  SELECT r.delivery_id, r.attempt, r.began_at, r.duration_ms, r.response_status, r.retry_after, r.error,
    CASE WHEN present.awaits THEN r.response END
  FROM r JOIN moved ON moved.id = r.delivery_id JOIN present ON present.id = r.delivery_id ON CONFLICT DO NOTHING`;

/** Locks a part of an endpoint's deliveries, in the order of their ids. */
const partOf = (condition: string): string => `
  WITH part AS MATERIALIZED (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ${condition} LIMIT $2),
  locked AS (SELECT id FROM webhook_deliveries WHERE id IN (SELECT id FROM part) ORDER BY id FOR UPDATE)`;

export const GIVE_UP = `${partOf('AND next_attempt_at IS NOT NULL')}
  UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE id IN (SELECT id FROM locked)
    AND next_attempt_at IS NOT NULL RETURNING 1`;

export const REMOVE = `${partOf('')}
  DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM locked) RETURNING 1`;

/** Removes announcements but for their places, after this is done to their deliveries, which are locked first, in the order of their ids. */
const removeAnnouncements = (which: string, toDeliveries: string): string => `
  WITH part AS MATERIALIZED (SELECT seq FROM announcements WHERE NOT removed AND ${which}),
  locked AS (
    SELECT id FROM webhook_deliveries WHERE announcement IN (SELECT seq FROM part) ORDER BY id FOR UPDATE
  ),
  done AS (${toDeliveries} WHERE id IN (SELECT id FROM locked))
  UPDATE announcements SET removed = true, data = '{}', sealed = NULL, identity_id = NULL
  WHERE seq IN (SELECT seq FROM part) RETURNING seq`;

export const PURGE = removeAnnouncements(
  'seq IN (SELECT seq FROM announcements WHERE NOT removed ORDER BY seq LIMIT $2) AND stored_at < $1',
  'DELETE FROM webhook_deliveries',
);

/** A tenant's last place stays, so that a reader that missed nothing goes on after whatever time. */
export const PURGE_PLACES = `
  DELETE FROM announcements WHERE seq IN (
    SELECT seq FROM announcements place WHERE removed AND stored_at < $1 AND (test OR EXISTS (
      SELECT FROM announcements later WHERE later.tenant_id = place.tenant_id AND NOT later.test AND later.seq > place.seq))
    ORDER BY seq LIMIT $2) RETURNING 1`;

/** The places of deliveries stay for their time too: a reader goes on behind one. */
export const FORGET = removeAnnouncements(
  'tenant_id = $1 AND identity_id = $2 LIMIT $3',
  "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL",
);

/** A receiver may have repeated what it was sent. */
export const EMPTY = `
  UPDATE webhook_attempts SET response = NULL WHERE response IS NOT NULL AND delivery_id IN (
    SELECT id FROM webhook_deliveries WHERE announcement = ANY($1::bigint[]))`;

/** Steps from endpoint to endpoint through the index, however many deliveries each has, and stops after a page of them. */
export const ENDPOINTS_WAITING = `
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
