import { Inject, Injectable } from '@nestjs/common';
import { type Subscriber, WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { type AnnouncementType } from '../kernel/contract.js';
import { type Announcement } from '../kernel/announcement.js';
import { BatchLoader } from '../kernel/batch-loader.js';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { Database, type Queryable } from '../platform/postgres/database.js';
import { CLOCK } from '../platform/tokens.js';
import { type AnnouncedEvent, envelopeOf, MAX_BODY } from './domain/envelope.js';
import { SealedMembers, type StoredAnnouncement, storedOf } from './sealed-members.js';

const ANNOUNCEMENT_NAMESPACE = '3d0c5d0e-64b2-4b7c-9e1f-2f5a0b1c7d11';
const DELIVERY_NAMESPACE = '7e1b8c52-0f3d-4c8e-8a44-9b6d3e2f1a22';
/** Events in one transaction. */
const MAX_BATCH = 500;
/** Milliseconds. A transaction costs more than its rows, and a delivery may be late by this. */
const BATCH_SPACING = 40;
/**
 * Milliseconds. The events of one stream come one after the other, so a stream with more than 25 a second falls behind at that
 * spacing, and everybody's events wait behind its own. From this age on events are announced without it.
 */
const LATE = 1_000;

/** Writers take it one after the other, so that rows are committed in the order of their numbers. */
const IN_ORDER = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** Adds what is new, and its deliveries with it: both or neither. */
const ANNOUNCE = `
  WITH added AS (
    INSERT INTO announcements (id, tenant_id, type, occurred_at, data, identity_id, stored_at, sealed,
      request_id)
    SELECT r.id, r.tenant_id, r.type, r.occurred_at, r.data, r.identity_id, $8, r.sealed, r.request_id
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $9::text[], $10::text[])
      WITH ORDINALITY AS r(id, tenant_id, type, occurred_at, data, identity_id, sealed, request_id, place)
    ORDER BY r.place
    ON CONFLICT (id) DO NOTHING RETURNING seq, id
  )
  INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, announcement, stream, status, created_at, next_attempt_at)
  SELECT r.id, r.tenant_id, r.endpoint_id, added.seq, r.stream, 'pending', $8, $8
  FROM json_to_recordset($7::json) AS r(id uuid, announcement uuid, tenant_id text, endpoint_id uuid, stream text)
  JOIN added ON added.id = r.announcement
  ORDER BY added.seq RETURNING endpoint_id AS "endpointId"`;

/** An event of the log, and what is announced of it. */
interface Announced {
  readonly event: StoredEvent;
  readonly announcements: readonly Announcement[];
}

/** The endpoints that have something to deliver now. */
type EndpointIds = readonly string[];

interface Row extends StoredAnnouncement {
  readonly tenantId: string;
  readonly stream: string;
  readonly position: bigint;
  readonly requestId: string;
}

interface FeedRow {
  readonly seq: string;
  readonly id: string;
  readonly type: AnnouncementType;
  readonly occurredAt: Date;
  readonly data: string;
  readonly sealed: string | null;
}

/** The accounts that have an endpoint for a type, by type. */
type Audiences = ReadonlyMap<AnnouncementType, readonly string[]>;

/** Each receiver of an announcement, with the name that its event id is derived from. */
const receiversOf = (
  event: StoredEvent,
  { type, audience }: Announcement,
  place: string,
  audiences: Audiences,
): readonly { readonly tenantId: string; readonly name: string }[] => {
  if (audience === undefined) return [{ tenantId: tenantOfStream(event.stream), name: place }];
  const tenants = audience === 'subscribers' ? (audiences.get(type) ?? []) : [audience.tenantId];
  return tenants.map((tenantId) => ({ tenantId, name: `${place}/${tenantId}` }));
};

const rowsOf = ({ event, announcements }: Announced, audiences: Audiences): Row[] =>
  announcements.flatMap((announcement, index) => {
    const { type, data, sealed } = announcement;
    const { stream } = event;
    const common = {
      sealed:
        sealed === undefined
          ? null
          : {
              place: { tenantId: tenantOfStream(stream), stream, eventId: event.id, field: sealed.field },
              envelope: sealed.envelope,
              member: sealed.member,
            },
      stream,
      position: event.position,
      requestId: event.metadata.$correlationId,
      type,
      occurredAt: new Date(event.metadata.time),
      data,
      test: false,
    };
    return receiversOf(event, announcement, `${event.id}/${index}`, audiences).map(({ tenantId, name }) => {
      const row = { ...common, tenantId, id: deriveUuid(ANNOUNCEMENT_NAMESPACE, name) };
      invariant(
        Buffer.byteLength(JSON.stringify(envelopeOf(row))) <= MAX_BODY,
        `the body of ${type} holds 20 KB at most`,
      );
      return row;
    });
  });

/** The events that receivers get, in one order for each tenant. Throws Unavailable. */
@Injectable()
export class Feed {
  /** On the monotonic clock: when an event was last announced late. */
  private lateAt = -Infinity;
  private readonly merged = new BatchLoader<Announced, EndpointIds>((batch) => this.store([...batch.values()]), {
    maxBatch: MAX_BATCH,
    spacingMs: () => (this.clock.monotonic() - this.lateAt < LATE ? 0 : BATCH_SPACING),
    spacesAll: true,
  });

  constructor(
    private readonly database: Database,
    private readonly index: WebhookQueries,
    private readonly members: SealedMembers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the announcements of an event and their deliveries, once however often it is called. Concurrent calls share a transaction. */
  announce(event: StoredEvent, announcements: readonly Announcement[]): Promise<EndpointIds> {
    return this.merged.get(event.id, { event, announcements });
  }

  /** What came after the event with the id `after`, oldest first. Undefined if the tenant has no such event. */
  async list(
    tenantId: TenantId,
    after: string | undefined,
    limit: number,
  ): Promise<readonly AnnouncedEvent[] | undefined> {
    const from = after === undefined ? '0' : await this.placeOf(tenantId, after);
    return from === undefined ? undefined : (await this.after(tenantId, from, limit)).events;
  }

  /** What came after this place, oldest first, and the place of the last of it. */
  async after(
    tenantId: TenantId,
    place: string,
    limit: number,
  ): Promise<{ readonly events: readonly AnnouncedEvent[]; readonly place: string }> {
    const rows = await this.database.query<FeedRow>(
      `SELECT seq, id, type, occurred_at AS "occurredAt", data, sealed FROM announcements
       WHERE tenant_id = $1 AND NOT test AND NOT removed AND seq > $2 ORDER BY seq LIMIT $3`,
      [tenantId, place, limit],
      'event-feed',
    );
    const events = await Promise.all(rows.map((row) => this.members.open({ ...storedOf(row), test: false })));
    return { events, place: rows.at(-1)?.seq ?? place };
  }

  async find(tenantId: TenantId, id: string): Promise<AnnouncedEvent | undefined> {
    const [row] = await this.database.query<FeedRow & { readonly test: boolean }>(
      `SELECT seq, id, type, occurred_at AS "occurredAt", data, sealed, test FROM announcements
       WHERE id = $2 AND tenant_id = $1 AND NOT removed`,
      [tenantId, id],
      'event-with-id',
    );
    return row === undefined ? undefined : this.members.open({ ...storedOf(row), test: row.test });
  }

  /** The tenant's newest event and its place. Undefined if it has none. */
  async newest(tenantId: TenantId): Promise<{ readonly id: string; readonly place: string } | undefined> {
    const [row] = await this.database.query<{ id: string; place: string }>(
      'SELECT id, seq AS place FROM announcements WHERE tenant_id = $1 AND NOT test ORDER BY seq DESC LIMIT 1',
      [tenantId],
      'event-feed-newest',
    );
    return row;
  }

  /** Of the types that go to every subscriber. */
  private async audiencesOf(batch: readonly Announced[]): Promise<Audiences> {
    const wide = batch.flatMap(({ announcements }) =>
      announcements.filter(({ audience }) => audience === 'subscribers'),
    );
    const types = [...new Set(wide.map(({ type }) => type))];
    const tenants = await Promise.all(types.map((type) => this.index.tenantsSubscribedTo(type)));
    return new Map(types.map((type, index) => [type, tenants[index] ?? []]));
  }

  /** The tenant's oldest event that is kept. Undefined if it has none. */
  async oldest(tenantId: TenantId): Promise<string | undefined> {
    return (await this.after(tenantId, '0', 1)).events[0]?.id;
  }

  /** Also of an event that was removed. Undefined if the tenant never had it, or not for 90 days. */
  async placeOf(tenantId: TenantId, id: string): Promise<string | undefined> {
    const rows = await this.database.query<{ seq: string }>(
      'SELECT seq FROM announcements WHERE id = $2 AND tenant_id = $1 AND NOT test',
      [tenantId, id],
      'event-feed-place',
    );
    return rows[0]?.seq;
  }

  private async store(batch: readonly Announced[]): Promise<ReadonlyMap<string, EndpointIds | Error>> {
    const inOrder = [...batch].sort((one, other) => (one.event.position < other.event.position ? -1 : 1));
    if (inOrder.some(({ event }) => this.clock.now().getTime() - event.created.getTime() > LATE))
      this.lateAt = this.clock.monotonic();
    await this.index.assertCurrent();
    const audiences = await this.audiencesOf(inOrder);
    const rows: Row[] = [];
    const outcomes = new Map<string, EndpointIds | Error>();
    for (const announced of inOrder) {
      try {
        rows.push(...rowsOf(announced, audiences));
        outcomes.set(announced.event.id, []);
      } catch (error) {
        outcomes.set(announced.event.id, error instanceof Error ? error : new Error(String(error)));
      }
    }
    const deliveries = deliveriesOf(rows, await this.index.subscribers([...new Set(rows.map((row) => row.tenantId))]));
    const woken = await this.database.transaction(async (transaction) => {
      await transaction.query(IN_ORDER, ['announcements']);
      return insert(transaction, rows, deliveries, this.clock.now());
    });
    // The first to hear wakes them all.
    const first = [...outcomes].find(([, outcome]) => !(outcome instanceof Error));
    if (first !== undefined) outcomes.set(first[0], woken);
    return outcomes;
  }
}

const deliveriesOf = (rows: readonly Row[], subscribers: readonly Subscriber[]) => {
  const ofTenant = new Map<string, Subscriber[]>();
  for (const subscriber of subscribers) {
    const others = ofTenant.get(subscriber.tenantId) ?? [];
    ofTenant.set(subscriber.tenantId, [...others, subscriber]);
  }
  return rows.flatMap(({ id, tenantId, type, stream, position }) =>
    (ofTenant.get(tenantId) ?? [])
      .filter((subscriber) => subscriber.events.includes(type) && subscriber.position < position)
      .map(({ endpointId }) => ({
        id: deriveUuid(DELIVERY_NAMESPACE, `${id}/${endpointId}`),
        announcement: id,
        tenant_id: tenantId,
        endpoint_id: endpointId,
        stream,
      })),
  );
};

const identityIn = ({ data }: Row): string | null => {
  const id = data['identity_id'];
  return typeof id === 'string' ? id : null;
};

const insert = async (
  transaction: Queryable,
  rows: readonly Row[],
  deliveries: readonly object[],
  now: Date,
): Promise<EndpointIds> => {
  const woken = await transaction.query<{ endpointId: string }>(
    ANNOUNCE,
    [
      rows.map(({ id }) => id),
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ type }) => type),
      rows.map(({ occurredAt }) => occurredAt),
      rows.map(({ data }) => JSON.stringify(data)),
      rows.map(identityIn),
      JSON.stringify(deliveries),
      now,
      rows.map(({ sealed }) => (sealed === null ? null : JSON.stringify(sealed))),
      rows.map(({ requestId }) => requestId),
    ],
    'announce',
  );
  return [...new Set(woken.map(({ endpointId }) => endpointId))];
};
