import { auditStream } from '../../src/audit/domain/audit.events.js';
import { AdjustCredits } from '../../src/credits/domain/credits.commands.js';
import { credentialStream } from '../../src/credentials/domain/credential.events.js';
import { paymentStream } from '../../src/billing/domain/payment.events.js';
import { documentStream } from '../../src/reports/domain/document.events.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { newTenantId, newUuid, type TenantId, tenantUuid } from '../../src/kernel/ids.js';
import { PurgePreview } from '../../src/retention/purge-preview.js';
import { inYears, RetentionWorld } from '../support/retention-world.js';

const START = inYears(0);
/** The projections whose rows go with what has ended. */
const ENDED = ['credentials', 'documents', 'payments', 'retention'];

let world: RetentionWorld;

beforeAll(async () => {
  world = await RetentionWorld.open();
}, 60_000);

afterAll(() => world.close());

const STATUS = { list: 0, index: 5 };
const TOKEN = { v: 1, alg: 'A256GCM', key: '00000000-0000-4000-8000-000000000001', iv: '', ct: '' } as const;
const LATER = new Date(START.getTime() + 86_400_000).toISOString();
const METADATA = { requestId: 'r', actor: { type: 'system', id: 'spec' } } as const;
let tenantId: TenantId = newTenantId();

const appendAt = async (
  stream: string,
  events: readonly DomainEvent[],
  time: Date,
  expected: bigint | 'no_stream',
): Promise<void> => {
  const actor = { type: 'system', id: 'spec' } as const;
  const metadata = { $correlationId: newUuid(), actor, time: time.toISOString(), schemaVersion: 1 };
  await world.store.append(
    stream,
    events.map((event) => ({ id: newUuid(), ...event, metadata })),
    expected,
  );
};

const append = (stream: string, ...events: DomainEvent[]): Promise<void> =>
  appendAt(stream, events, START, 'no_stream');

/** A credential that is issued at START, and perhaps revoked a day later. */
const credential = async (expiresAt: Date, revoked: boolean): Promise<string> => {
  const credentialId = newUuid();
  const issued = { credentialId, identityId: 'idn_1', identityHash: 'hash', tier: 'Tier1', kid: 'k', status: STATUS };
  const times = { issuedAt: START.toISOString(), expiresAt: expiresAt.toISOString() };
  const revocation = { credentialId, status: STATUS, reason: null, changedAt: LATER, cause: 'issuer' };
  await append(
    credentialStream(tenantId, credentialId),
    { type: 'CredentialIssued.v1', data: { ...issued, ...times, token: TOKEN } },
    ...(revoked ? [{ type: 'CredentialRevoked.v1', data: revocation }] : []),
  );
  return credentialId;
};

const kept = async (table: 'credentials' | 'documents' | 'payments', column: string): Promise<unknown[]> => {
  const rows = await world.readModels.query<{ id: string }>({
    text: `SELECT ${column} AS id FROM ${table}`,
    values: [],
  });
  return rows.map(({ id }) => id).sort();
};

describe('the purge of what has ended', () => {
  it('takes a credential a year after its revocation or expiry, and not before its expiry', async () => {
    const revoked = await credential(inYears(1), true);
    const expired = await credential(inYears(0, 100), false);
    const living = await credential(inYears(9), true);
    await world.caughtUp();
    await world.purgeAt(inYears(0, 300));
    expect(await kept('credentials', 'credential_id')).toEqual([revoked, expired, living].sort());
    await world.purgeAt(inYears(1, 2));
    expect(await kept('credentials', 'credential_id')).toEqual([expired, living].sort());
    await world.purgeAt(inYears(1, 101));
    expect(await kept('credentials', 'credential_id')).toEqual([living]);
    expect(await world.store.read(credentialStream(tenantId, revoked))).toEqual([]);
    await world.expectRebuildEqual(ENDED);
    await world.scavenge();
    await world.expectRebuildEqual(ENDED);
  });

  it('takes the record of a report after seven years', async () => {
    world.restart();
    const documentId = newUuid();
    const request = { documentId, kind: 'export', format: 'json', period: null, include: [], identityId: null };
    await append(documentStream(tenantId, documentId), {
      type: 'DocumentRequested.v1',
      data: { ...request, requestedAt: START.toISOString() },
    });
    await world.caughtUp();
    await world.purgeAt(inYears(6, 364));
    expect(await kept('documents', 'document_id')).toEqual([documentId]);
    await world.purgeAt(inYears(7, 1));
    expect(await kept('documents', 'document_id')).toEqual([]);
    await world.expectRebuildEqual(ENDED);
  });

  it('takes a payment seven years after its last event, but for one that an operator has to decide on', async () => {
    world.restart();
    const opened = { origin: 'checkout', package: 'small', credits: 1_000, amountMinor: 12_000 };
    const [old, held, refunded] = [newUuid(), newUuid(), newUuid()];
    for (const purchaseId of [old, held, refunded])
      await append(paymentStream(tenantId, purchaseId), { type: 'PaymentOpened.v1', data: { purchaseId, ...opened } });
    const fault = { reason: 'unpaid', amountMinor: null, currency: '', providerId: 'cs_1', paymentIntentId: null };
    const news: readonly [string, Date, DomainEvent][] = [
      [held, START, { type: 'PaymentHeld.v1', data: { purchaseId: held, ...fault, package: 'small' } }],
      [
        refunded,
        inYears(1),
        { type: 'PaymentRefunded.v1', data: { purchaseId: refunded, refundedMinor: 1, credits: 0, reference: 'r' } },
      ],
    ];
    for (const [purchaseId, time, event] of news)
      await appendAt(paymentStream(tenantId, purchaseId), [event], time, 0n);
    await world.caughtUp();
    await world.purgeAt(inYears(6, 364));
    expect(await kept('payments', 'purchase_id')).toEqual([old, held, refunded].sort());
    await world.purgeAt(inYears(7, 1));
    expect(await kept('payments', 'purchase_id')).toEqual([held, refunded].sort());
    expect(await world.store.read(paymentStream(tenantId, old))).toEqual([]);
    await world.purgeAt(inYears(8, 2));
    expect(await kept('payments', 'purchase_id')).toEqual([held]);
    await world.expectRebuildEqual(ENDED);
    await world.scavenge();
    await world.expectRebuildEqual(ENDED);
  });
});

describe('the preview of the next purge', () => {
  /** Rows of the account that a purge may drop, by kind. */
  const rows = async (): Promise<Record<string, number>> => {
    const count = (text: string) =>
      world.database.query<{ count: string }>(text, [tenantId]).then(([row]) => Number(row?.count));
    return {
      audit_logs: await count('SELECT coalesce(sum(entries), 0) AS count FROM audit_days WHERE tenant_id = $1'),
      claims: await count('SELECT count(*) FROM claims WHERE tenant_id = $1'),
      credentials: await count('SELECT count(*) FROM credentials WHERE tenant_id = $1'),
      reports: await count('SELECT count(*) FROM documents WHERE tenant_id = $1'),
      billing_records: await world.database
        .query<{ count: string }>('SELECT count(*) FROM credit_transactions WHERE tenant = $1', [tenantUuid(tenantId)])
        .then(([row]) => Number(row?.count)),
    };
  };

  const deduct = () =>
    world.ledger.execute(
      new AdjustCredits(tenantId, { reference: newUuid(), amount: 5, reason: TOKEN }, METADATA),
      10_000,
    );

  it('counts what the purge then takes, no more and no less, and tells when the next records go', async () => {
    world.restart();
    tenantId = newTenantId();
    await credential(inYears(1), true);
    await credential(inYears(8), true);
    const documentId = newUuid();
    const request = { documentId, kind: 'export', format: 'json', period: null, include: [], identityId: null };
    await append(documentStream(tenantId, documentId), {
      type: 'DocumentRequested.v1',
      data: { ...request, requestedAt: START.toISOString() },
    });
    const looked = { action: 'identity_read', result: 'ok', access: TOKEN };
    await append(
      auditStream(tenantId),
      ...Array.from({ length: 3 }, () => ({ type: 'AccessRecorded.v1', data: looked })),
    );
    await deduct();
    await deduct();
    await world.caughtUp();
    const preview = new PurgePreview(world.readModels, world.aggregates, world.clock);
    const oldest = (await preview.of(tenantId)).records.get('billing_records')?.nextDue?.getTime() ?? 0;
    // No balance was carried forward yet: that comes in the month after.
    expect([oldest > inYears(7).getTime(), oldest < inYears(7, 34).getTime()]).toEqual([true, true]);
    await world.purgeAt(inYears(0, 40));
    await deduct();

    for (const [eve, dropped] of [
      [inYears(1, 0), {}],
      [inYears(1, 2), { credentials: 1 }],
      [inYears(6, 300), {}],
      [inYears(7, 1), { audit_logs: 3, reports: 1 }],
      [inYears(7, 60), { billing_records: 2 }],
    ] as const) {
      world.clock.set(eve);
      await world.caughtUp();
      const before = await rows();
      const { runAt, records } = await preview.of(tenantId);
      expect(runAt.getTime()).toBeGreaterThan(eve.getTime());
      const counted = Object.fromEntries([...records].map(([kind, { due }]) => [kind, due]));
      await world.purgeAt(runAt);
      const after = await rows();
      for (const kind of Object.keys(before)) {
        const gone = (before[kind] ?? 0) - (after[kind] ?? 0);
        expect([eve, kind, gone]).toEqual([eve, kind, counted[kind]]);
        expect([eve, kind, gone]).toEqual([eve, kind, (dropped as Record<string, number>)[kind] ?? 0]);
      }
    }
  });
});
