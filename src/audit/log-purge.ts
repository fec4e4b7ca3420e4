import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { tenantsWithEntriesBefore } from '../../projections/audit_log/audit_log.queries.js';
import {
  purgeableAccounts,
  type TenantPage,
  tenantsToCarryForward,
} from '../../projections/balances/balances.queries.js';
import { purgedStreams } from '../../projections/retention/retention.queries.js';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { deriveUuid, newUuid } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ReadModels } from '../platform/projections/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { keptSince, utcDay } from './domain/retention-periods.js';
import { retentionStream, type StreamPurged } from './domain/retention.events.js';
import {
  type AgeingStream,
  AUDIT_OF_OPERATORS,
  auditOf,
  billingKeptSince,
  billingOf,
  carryForward,
  startOfMonth,
} from './retention.process.js';

const PURGE_NAMESPACE = '3d1c9c1e-6a3a-4a57-9a52-4f0a3d7a8a11';
/** Events that one purge drops at most, so that no reader of the log meets a transaction without end. */
const EVENTS_A_PURGE = 5_000;
const PAGE = 500;

/** What is to go of a stream: everything below `firstKept`, none of it of `occurredBefore` or later. */
interface Piece {
  readonly firstKept: number;
  readonly occurredBefore: Date;
  /** Whether older events than may be kept remain above it. */
  readonly more: boolean;
}

/**
 * Takes from the log what has been kept long enough: first the event by which every reader drops its rows, then the
 * truncation; a scavenge removes it from disk. Every step may be repeated, and one that a crash left out is found again.
 */
@Injectable()
export class LogPurge {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    await this.truncateWhatWasPurged();
    await this.purgeAuditLogs();
    await this.carryBalancesForward();
    await this.purgeBillingRecords();
  }

  /** After a crash between event and truncation, and after a restore of the log's older metadata. */
  private async truncateWhatWasPurged(): Promise<void> {
    let after = '';
    for (;;) {
      const streams = await purgedStreams(this.readModels, after, PAGE);
      for (const { stream, firstKept } of streams) {
        await this.store.truncateBefore(stream, firstKept);
        after = stream;
      }
      if (streams.length < PAGE) return;
    }
  }

  private async purgeAuditLogs(): Promise<void> {
    const since = keptSince(this.clock.now());
    const tenants = await tenantsWithEntriesBefore(this.readModels, utcDay(since));
    for (const ageing of [AUDIT_OF_OPERATORS, ...tenants.map(auditOf)]) {
      let piece: Piece | undefined;
      do {
        piece = await this.oldestPiece(ageing.stream, since);
        if (piece !== undefined) await this.purge(ageing, piece.firstKept, piece.occurredBefore);
      } while (piece?.more === true);
    }
  }

  private async carryBalancesForward(): Promise<void> {
    const now = this.clock.now();
    const requestId = newUuid();
    await this.eachTenant(
      (page) => tenantsToCarryForward(this.readModels, startOfMonth(now), page),
      (tenantId) => tenantId,
      (tenantId) => this.commands.execute(carryForward(tenantId, now, requestId)),
    );
  }

  private async purgeBillingRecords(): Promise<void> {
    const now = this.clock.now();
    await this.eachTenant(
      (page) => purgeableAccounts(this.readModels, billingKeptSince(now), page),
      ({ tenantId }) => tenantId,
      ({ tenantId, firstKept }) => this.purge(billingOf(tenantId), firstKept, keptSince(now)),
    );
  }

  private async eachTenant<Found>(
    find: (page: TenantPage) => Promise<readonly Found[]>,
    idOf: (found: Found) => string,
    act: (found: Found) => Promise<unknown>,
  ): Promise<void> {
    let after = '';
    for (;;) {
      const page = await find({ after, limit: PAGE });
      for (const found of page) {
        await act(found);
        after = idOf(found);
      }
      if (page.length < PAGE) return;
    }
  }

  /** The stream's oldest events up to the first that must be kept; undefined where that is the oldest one. */
  private async oldestPiece(stream: string, since: Date): Promise<Piece | undefined> {
    let last: StoredEvent | undefined;
    let latest = 0;
    let count = 0;
    for await (const page of this.store.readPages(stream)) {
      for (const event of page) {
        const time = new Date(event.metadata.time).getTime();
        if (time >= since.getTime()) return last && { ...endingWith(last), occurredBefore: since, more: false };
        if (count === EVENTS_A_PURGE)
          return last && { ...endingWith(last), occurredBefore: new Date(latest + 1), more: true };
        last = event;
        latest = Math.max(latest, time);
        count += 1;
      }
    }
    return last && { ...endingWith(last), occurredBefore: since, more: false };
  }

  private async purge({ stream, owner }: AgeingStream, firstKept: number, before: Date): Promise<void> {
    const occurredBefore = before.toISOString();
    const now = this.clock.now().toISOString();
    const purged: StreamPurged = {
      type: 'StreamPurged.v1',
      data: { stream, firstKept, occurredBefore, purgedAt: now },
    };
    const id = deriveUuid(PURGE_NAMESPACE, `${stream} ${firstKept} ${occurredBefore}`);
    const actor = { type: 'system', id: 'retention' } as const;
    const metadata = { $correlationId: id, actor, time: now, schemaVersion: 1 };
    await this.store.append(retentionStream(owner), [{ id, ...purged, metadata }], 'any');
    await this.store.truncateBefore(stream, BigInt(firstKept));
  }
}

const endingWith = ({ revision }: StoredEvent): { readonly firstKept: number } => ({ firstKept: Number(revision) + 1 });
