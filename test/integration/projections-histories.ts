import { settlementIdOf } from '../../src/credits/domain/credits.events.js';
import fc from 'fast-check';
import { type AccessesRecorded } from '../../src/audit/domain/audit.events.js';
import { type NewEvent, type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId, uuidHex } from '../../src/kernel/ids.js';
import { prepareSchemas, schemaOf, type Slot } from '../../src/log/project/checkpoints.js';
import { type Projection } from '../../src/log/project/projection.js';
import { ProjectionSession } from '../../src/platform/postgres/session.js';
import { ScreeningHistories } from './screening-histories.js';

/** A stream's name and an event for it. */
export type Written = readonly [stream: string, event: NewEvent];

const START = Date.UTC(2026, 0, 1);

const envelope = (key: string) => ({ v: 1, alg: 'A256GCM', key, iv: 'aXYtYnl0ZXMtMTI', ct: newUuid() });

/** Writes random but possible histories: what the deciders would let into the log. */
/** Open deductions by their ids. */
type Open = Map<string, { readonly operation: string; readonly amount: number; readonly deductedAt: string }>;

export class Histories {
  readonly written: Written[] = [];
  /** Those that were not reversed yet. */
  private readonly charges: { readonly stream: string; readonly data: object }[] = [];
  private minute = 0;

  constructor(
    /** A natural number below the given one. */
    private readonly pick: (below: number) => number,
    readonly tenants: readonly TenantId[] = [newTenantId(), newTenantId(), newTenantId()],
  ) {}

  time(): string {
    // Nine hours a step or so, so that days change within a history.
    this.minute += 1 + this.pick(540);
    return new Date(START + this.minute * 60_000).toISOString();
  }

  write(stream: string, type: string, data: object, id = newUuid()): void {
    const actor = { type: 'tenant', id: 'key' } as const;
    const metadata = { $correlationId: newUuid(), actor, time: this.time(), schemaVersion: 1 };
    this.written.push([stream, { id, type, data, metadata }]);
  }

  credits(steps: number): void {
    const open = new Map<TenantId, Open>(this.tenants.map((tenant) => [tenant, new Map()]));
    for (const tenant of this.tenants) {
      const data = { reference: newUuid(), package: 'small', credits: 1_000, amountMinor: 12_000, currency: 'USD' };
      this.write(`credits-${tenant}`, 'CreditsPurchased.v1', data);
    }
    for (let step = 0; step < steps; step += 1) {
      const tenant = this.tenants[this.pick(this.tenants.length)] ?? newTenantId();
      this.creditStep(`credits-${tenant}`, open.get(tenant) ?? new Map());
    }
  }

  audit(steps: number): void {
    for (let step = 0; step < steps; step += 1) {
      const tenant = this.tenants[this.pick(this.tenants.length)] ?? newTenantId();
      const earlier = this.written.filter(([stream]) => stream === `audit-${tenant}`);
      const again = this.pick(5) === 0 ? earlier[this.pick(Math.max(1, earlier.length))] : undefined;
      const action = ['eligibility_check', 'data_ingested', 'identity_read'][this.pick(3)] ?? '';
      if (action === 'data_ingested') {
        this.auditBatch(`audit-${tenant}`);
        continue;
      }
      const data = { action, result: 'found', access: envelope('tenant-key') };
      this.write(`audit-${tenant}`, 'AccessRecorded.v1', data, again?.[1].id);
    }
    this.write('audit-operators', 'OperatorActed.v1', { action: 'GET /admin', tenantId: null, roles: [] });
  }

  /** Some entries may have been recorded before, by an attempt that was repeated. */
  private auditBatch(stream: string): void {
    const earlier = this.written.flatMap(([where, { type, data }]) =>
      where === stream && type === 'AccessesRecorded.v1' ? [(data as AccessesRecorded['data']).batchId] : [],
    );
    const again = this.pick(3) === 0 ? earlier[this.pick(Math.max(1, earlier.length))] : undefined;
    const first = this.pick(3);
    const entries = Array.from({ length: 1 + this.pick(4) }, (_, place) => ({
      index: first + place,
      access: envelope('tenant-key'),
    }));
    const data = { action: 'data_ingested', result: 'ok', batchId: again ?? newUuid(), entries };
    this.write(stream, 'AccessesRecorded.v1', data);
  }

  /** Of what is older than a time somewhere in the history. */
  purges(): void {
    for (const tenant of this.tenants) {
      const time = this.written[this.pick(this.written.length)]?.[1].metadata.time ?? this.time();
      const purged = { firstKept: 0, occurredBefore: time, purgedAt: this.time() };
      this.write(`retention-${tenant}`, 'StreamPurged.v1', { ...purged, stream: `audit-${tenant}` });
      const rowsBelow = this.pick(10);
      this.write(`retention-${tenant}`, 'StreamPurged.v1', { ...purged, stream: `credits-${tenant}`, rowsBelow });
    }
  }

  identities(steps: number): void {
    const lives = new Map<string, 'none' | 'active' | 'deleted' | 'erasing'>();
    for (let step = 0; step < steps; step += 1) {
      const tenant = this.tenants[this.pick(this.tenants.length)] ?? newTenantId();
      const person = this.pick(4).toString().padStart(32, '0');
      const stream = `identity-${tenant}_${person}`;
      lives.set(stream, this.identityStep(stream, person, lives.get(stream) ?? 'none'));
    }
  }

  ingestions(count: number): void {
    for (let step = 0; step < count; step += 1) {
      const tenant = this.tenants[this.pick(this.tenants.length)] ?? newTenantId();
      const ingestionId = newUuid();
      this.ingestion(`ingestion-${tenant}_${uuidHex(ingestionId)}`, ingestionId);
    }
  }

  accounts(): void {
    for (const tenant of this.tenants) {
      const stream = `account-${tenant}`;
      this.write(stream, 'AccountCreated.v1', {
        tenantId: tenant,
        name: 'Bank',
        tier: 'growth',
        createdAt: this.time(),
      });
      const keys = ['key00001', 'key00002', 'key00003'].slice(0, 1 + this.pick(3));
      for (const keyId of keys) {
        this.write(stream, 'ApiKeyIssued.v1', { keyId, createdAt: this.time(), expiresAt: null });
        if (this.pick(2) === 0) this.write(stream, 'ApiKeyRotated.v1', { keyId, expiresAt: this.time() });
        if (this.pick(2) === 0) this.write(stream, 'ApiKeyRevoked.v1', { keyId, revokedAt: this.time() });
      }
      this.write(stream, 'AccountSuspended.v1', { reason: null, suspendedAt: this.time() });
      if (this.pick(2) === 0) this.write(stream, 'AccountReinstated.v1', { reason: null, reinstatedAt: this.time() });
    }
  }

  private creditStep(stream: string, open: Open): void {
    const [first] = open.keys();
    switch (this.pick(11)) {
      case 9:
        this.payment(stream);
        return;
      case 10:
        this.giveBack(stream, open);
        return;
      case 6:
        this.reversal(stream);
        return;
      case 7:
      case 8:
        this.charge(stream);
        return;
      case 0:
        this.write(stream, 'CreditsAdjusted.v1', { reference: newUuid(), amount: this.pick(50) - 10, reason: null });
        return;
      case 1:
        if (first === undefined) return;
        this.write(stream, 'DeductionRefunded.v1', { deductionId: first, ...open.get(first), reason: 'deadline' });
        open.delete(first);
        return;
      case 2: {
        if (first !== undefined) this.settle(stream, first, open);
        return;
      }
      default: {
        const deductionId = newUuid();
        const amount = 1 + this.pick(5);
        const operation = ['check_eligibility', 'assess_risk'][this.pick(2)] ?? '';
        this.write(stream, 'CreditsDeducted.v1', { deductionId, operation, amount, requestId: newUuid() });
        const deductedAt = this.written.at(-1)?.[1].metadata.time ?? '';
        open.set(deductionId, { operation, amount, deductedAt });
      }
    }
  }

  /** Some are reversed at once, since they were not acknowledged in time. */
  private settle(stream: string, deductionId: string, open: Open): void {
    const revision = this.written.filter(([name]) => name === stream).length;
    const paid = { deductionId, deductedAt: '', ...open.get(deductionId) };
    const entry = { action: 'report_created', result: 'ok', access: envelope('tenant-key') };
    this.write(stream, 'DeductionSettled.v1', { ...paid, ...entry }, settlementIdOf(deductionId));
    open.delete(deductionId);
    if (this.pick(3) > 0) return;
    const { deductedAt: chargedAt, ...rest } = paid;
    this.write(stream, 'ChargeReversed.v1', { ...rest, chargeId: deductionId, revision, chargedAt });
  }

  /** A recharge that is taken back in part. */
  private payment(stream: string): void {
    const reference = newUuid();
    const bought = { package: 'small', credits: 1_000, amountMinor: 12_000, currency: 'USD' };
    this.write(stream, 'CreditsRecharged.v1', { reference, ...bought });
    const claimed = { cause: 'refund', purchased: 1_000, reversed: 90, credits: 90, taken: 90 };
    this.write(stream, 'CreditsReversed.v1', { reference: newUuid(), purchaseReference: reference, ...claimed });
  }

  /** Of a deduction that is open or settled, once. */
  private giveBack(stream: string, open: Open): void {
    const named = (type: string): Set<string> =>
      new Set(
        this.written
          .filter(([name, event]) => name === stream && event.type === type)
          .map(([, { data }]) => (data as { deductionId: string }).deductionId),
      );
    const reversed = this.written.map(([, { data }]) => (data as { chargeId?: string }).chargeId ?? '');
    const ended = new Set([...named('DeductionRefunded.v1'), ...named('CreditsReturned.v1'), ...reversed]);
    const left = this.written.filter(
      ([name, { type, data }]) =>
        name === stream && type === 'CreditsDeducted.v1' && !ended.has((data as { deductionId: string }).deductionId),
    );
    const [, deducted] = left[this.pick(Math.max(1, left.length))] ?? [];
    if (deducted === undefined) return;
    const { deductionId, operation, amount } = deducted.data as {
      deductionId: string;
      operation: string;
      amount: number;
    };
    this.write(stream, 'CreditsReturned.v1', { reference: newUuid(), deductionId, operation, amount });
    open.delete(deductionId);
  }

  private charge(stream: string): void {
    const chargeId = newUuid();
    const amount = 1 + this.pick(5);
    const what = { operation: 'check_eligibility', action: 'eligibility_check', result: 'found' };
    const data = { chargeId, amount, balance: 0, requestId: newUuid(), access: envelope('tenant-key'), ...what };
    this.write(stream, 'OperationCharged.v1', data, chargeId);
    const chargedAt = this.written.at(-1)?.[1].metadata.time;
    const { operation } = what;
    const revision = this.written.filter(([name]) => name === stream).length - 1;
    this.charges.push({ stream, data: { chargeId, revision, chargedAt, operation, amount, balance: 0 } });
  }

  /** Of one of the stream's charges that was not reversed yet. */
  private reversal(stream: string): void {
    const index = this.charges.findIndex((charge) => charge.stream === stream);
    const [charge] = index === -1 ? [] : this.charges.splice(index, 1);
    if (charge !== undefined) this.write(stream, 'ChargeReversed.v1', charge.data);
  }

  private identityStep(stream: string, person: string, life: string): 'none' | 'active' | 'deleted' | 'erasing' {
    const names = { identityId: `idn_${person}`, identityHash: `hash-${person}` };
    const now = this.time();
    if (life === 'erasing') {
      const rest = { dataKeyIds: [], destroyed: [], backupsLastUntil: now, certificate: 'jwt' };
      this.write(stream, 'IdentityErased.v1', { ...names, erasedAt: now, ...rest });
      return 'none';
    }
    if (life === 'deleted') {
      if (this.pick(2) === 0) {
        this.write(stream, 'IdentityRestored.v1', { ...names, restoredAt: now, kycExpiresAt: null });
        return 'active';
      }
      this.write(stream, 'IdentityErasureDecided.v1', { ...names, reason: 'deletion', decidedAt: now, dataKeyIds: [] });
      return 'erasing';
    }
    if (life === 'active' && this.pick(3) === 0) {
      this.write(stream, 'IdentityDeleted.v1', { ...names, deletedAt: now, purgeAt: this.time() });
      return 'deleted';
    }
    if (life === 'active' && this.pick(3) === 0) {
      this.write(stream, 'IdentityExpired.v1', { ...names, kycExpiresAt: now, expiredAt: now });
      return 'active';
    }
    this.record(stream, names, life === 'none' ? 'IdentityIngested.v1' : 'IdentityUpdated.v1', now);
    return 'active';
  }

  private record(stream: string, names: { identityId: string; identityHash: string }, type: string, now: string): void {
    const kycStatus = ['APPROVED', 'REJECTED', 'PENDING_REVIEW'][this.pick(3)];
    const approved = kycStatus === 'APPROVED';
    this.write(stream, type, {
      ...names,
      ingestionId: newUuid(),
      recordIndex: 0,
      acceptedPosition: '1',
      receivedAt: now,
      kycStatus,
      tier: ['Tier1', 'Tier2', 'Tier3'][this.pick(3)],
      kycExpiresAt: this.pick(2) === 0 ? null : this.time(),
      lastVerifiedAt: approved ? now : null,
      personal: envelope('subject-key'),
    });
    if (approved)
      this.write(stream, 'IdentityVerified.v1', {
        ...names,
        tier: 'Tier1',
        verifiedAt: now,
        kycExpiresAt: null,
        confidence: 1,
      });
  }

  private ingestion(stream: string, ingestionId: string): void {
    const errors = this.pick(2) === 0 ? [] : [{ recordIndex: 1, code: 'INVALID_EMAIL', detail: 'no' }];
    const kind = this.pick(2) === 0 ? 'single' : 'batch';
    const accepted = { ingestionId, kind, receivedAt: this.time(), recordsReceived: 2, records: [], errors };
    this.write(stream, 'IngestionAccepted.v1', accepted);
    for (let end = this.pick(4); end > 0; end -= 1) {
      const now = this.time();
      const attempt = { ingestionId, attempt: 1, code: 'PROCESSING_FAILED', failedAt: now, nextAttemptAt: this.time() };
      this.write(stream, 'IngestionAttemptFailed.v1', attempt);
      if (end % 2 === 1) continue;
      const failed = { ingestionId, failedAt: now, code: 'PROCESSING_FAILED', recordsProcessed: 0, errors };
      this.write(stream, 'IngestionFailed.v1', failed);
      this.write(stream, 'IngestionRetried.v1', { ingestionId, retriedAt: this.time() });
    }
    if (this.pick(4) === 0) return;
    const outcome = { recordsProcessed: 1, recordsSuperseded: this.pick(2), identityId: 'idn_1', errors };
    this.write(stream, 'IngestionCompleted.v1', { ingestionId, completedAt: this.time(), ...outcome });
  }
}

/** The same as a log would hold it. */
export const asStored = (written: readonly Written[]): StoredEvent[] => {
  const revisions = new Map<string, bigint>();
  return written.map(([stream, event], index) => {
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    return { ...event, stream, revision, position: BigInt(index + 1), created: new Date(event.metadata.time) };
  });
};

export const histories: fc.Arbitrary<Histories> = fc.infiniteStream(fc.nat(1_000_000)).map((numbers) => {
  const pick = (below: number): number => Number(numbers.next().value ?? 0) % below;
  const history = new Histories(pick);
  const screening = new ScreeningHistories(history, pick);
  history.credits(40);
  history.audit(25);
  screening.write(40);
  history.purges();
  screening.write(20);
  history.credits(10);
  history.identities(40);
  history.ingestions(10);
  return history;
});

/** Every row of every table of a projection's schema, as text, in order. */
export const rowsOf = async (
  session: ProjectionSession,
  projection: Projection,
  slot: Slot = 'live',
): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {};
  for (const table of projection.tables) {
    const rows = await session.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${schemaOf(projection, slot)}.${table} t ORDER BY 1`,
    );
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
};

export const openSession = async (database: string, projections: readonly Projection[]): Promise<ProjectionSession> => {
  const session = await ProjectionSession.open(database);
  await session.transaction('projections', () => prepareSchemas(session, projections));
  return session;
};
