import { type EndpointRow } from '../../projections/webhooks/webhooks.queries.js';
import { Injectable } from '@nestjs/common';
import { type AnnouncementType } from '../kernel/contract.js';
import { BatchLoader } from '../kernel/batch-loader.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { Database } from '../platform/postgres/database.js';
import { mergedStatement } from '../platform/postgres/merged-statement.js';
import {
  A_SECOND,
  BURST,
  ASK_HOST,
  DUE,
  ENDPOINTS_WAITING,
  EMPTY,
  FORGET,
  GIVE_UP,
  HOLD,
  NOTE,
  PROVEN,
  PURGE,
  PURGE_PLACES,
  RELEASE,
  REMOVE,
  REST,
  ENDPOINT_FAILED,
  HOST_FAILED,
  RESUME_HOSTS,
  TEST_HOST,
  TAKE_ROOM,
} from './delivery-statements.js';
import { type DeliveryStatus } from '../kernel/request-events.js';
import { type Envelope } from '../kernel/envelope.js';
import { type StoredAnnouncement, storedOf } from './sealed-members.js';

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
  /** What the receiver answered. */
  readonly response: Envelope | null;
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
}

/** The leave to ask a host for a proof, with what failed before, or when it may be asked. */
export type Leave =
  { readonly granted: true; readonly failed: number } | { readonly granted: false; readonly next: Date };

/** A host at which an account has endpoints, as a keyed hash. */
export interface AskedHost {
  readonly tenantId: TenantId;
  readonly host: string;
}

/** How many requests a host takes now, and when it takes the next one. */
export interface HostQuota {
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

/** Least milliseconds between two challenges that an owner causes. */
export const BETWEEN_TESTS = 6_000;
/** How often an endpoint looks in the rest of its host whether it may ask, and the least milliseconds between two looks. */
const LOOKS = 20;
const MIN_LOOK_PAUSE_MS = 1_000;

/** Announcements that one statement forgets, so that it ends within its budget. */
const FORGOTTEN_AT_ONCE = 100;

/** Endpoints in memory at once while those with due deliveries are looked for. */
const ENDPOINTS_AT_ONCE = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

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
  attempts.map(({ response }) => (response === null ? null : JSON.stringify(response))),
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

  /**
   * Leave to ask for a proof, for one of all endpoints that the account has at the host. `until`: nothing else asks before then.
   */
  async askHost({ tenantId, host }: AskedHost, now: Date, until: Date): Promise<Leave> {
    const values = [tenantId, host, now, until];
    const [granted] = await this.database.query<{ readonly failed: number }>(ASK_HOST, values, 'webhook-ask-host');
    if (granted !== undefined) return { granted: true, failed: granted.failed };
    const rest = ((await this.timesOf({ tenantId, host }))?.restsUntil.getTime() ?? 0) - now.getTime();
    // Another of its endpoints may prove the host meanwhile.
    const look = Math.min(rest, Math.max(MIN_LOOK_PAUSE_MS, rest / LOOKS));
    return { granted: false, next: new Date(now.getTime() + look) };
  }

  /** Leave to ask for a proof at once, some seconds after the host was asked last. */
  async testHost({ tenantId, host }: AskedHost, now: Date): Promise<Leave> {
    const askedBy = new Date(now.getTime() - BETWEEN_TESTS);
    const values = [tenantId, host, now, askedBy];
    const [granted] = await this.database.query<{ readonly failed: number }>(TEST_HOST, values, 'webhook-test-host');
    if (granted !== undefined) return { granted: true, failed: granted.failed };
    const lastAsked = (await this.timesOf({ tenantId, host }))?.askedAt.getTime() ?? 0;
    return { granted: false, next: new Date(lastAsked + BETWEEN_TESTS) };
  }

  /** The endpoint has proved itself at this URL, and with it the account at the host. */
  async proven(endpointId: string, { tenantId, host }: AskedHost, urlEvent: string, now: Date): Promise<void> {
    await this.database.query(PROVEN, [endpointId, this.holder, urlEvent, now], 'webhook-proven');
    await this.database.query(
      'DELETE FROM webhook_challenges WHERE tenant_id = $1 AND host = $2',
      [tenantId, host],
      'webhook-host-proven',
    );
  }

  /** Notes a challenge that failed. The host rests until the next one, and the endpoint, unless it has proved itself meanwhile. */
  async unproven({ endpointId, tenantId, urlEvent }: EndpointRow, host: string, now: Date, until: Date): Promise<void> {
    await this.database.query(HOST_FAILED, [tenantId, host, until], 'webhook-host-failed');
    await this.database.query(ENDPOINT_FAILED, [endpointId, now, until, urlEvent], 'webhook-unproven');
  }

  private async timesOf({ tenantId, host }: AskedHost) {
    const [row] = await this.database.query<{ readonly askedAt: Date; readonly restsUntil: Date }>(
      `SELECT asked_at AS "askedAt", rests_until AS "restsUntil" FROM webhook_challenges WHERE tenant_id = $1 AND host = $2`,
      [tenantId, host],
      'webhook-host-asked',
    );
    return row;
  }

  /** Leaves the endpoint alone until then. */
  async postpone(endpointId: string, until: Date): Promise<void> {
    await this.database.query(REST, [endpointId, until], 'webhook-rest');
  }

  /** Ends the rest of an endpoint whose owner has changed it. */
  async resume(tenantId: TenantId, endpointId: string, now: Date): Promise<void> {
    await this.database.query(RESUME_HOSTS, [tenantId, `${BETWEEN_TESTS} milliseconds`], 'webhook-resume-hosts');
    await this.postpone(endpointId, now);
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
  async takeHostQuota(host: string, wanted: number, now: Date): Promise<HostQuota> {
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

  /** Removes the hosts that were asked for a proof before this, and not since. */
  async purgeChallenges(before: Date): Promise<void> {
    await this.database.query('DELETE FROM webhook_challenges WHERE asked_at < $1', [before]);
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
      const rows = await this.database.transaction(async (transaction) => {
        const found = await transaction.query<{ seq: string }>(FORGET, [tenantId, identityId, FORGOTTEN_AT_ONCE]);
        // Sees the tries that were noted while FORGET waited for their deliveries.
        await transaction.query(EMPTY, [found.map(({ seq }) => seq)]);
        return found;
      });
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
