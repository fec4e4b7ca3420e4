import { randomBytes } from 'node:crypto';
import { AUDIT_ACTIONS } from '../../src/kernel/contract.js';
import { followToEnd } from '../support/follow.js';
import { jest } from '@jest/globals';
import { parseVerifierKey, type VerifierKey } from '@kyc/log-proofs/checkpoint';
import { type ProvenAnswer, verifyAnswer } from '@kyc/log-proofs/proven-answer';
import pino from 'pino';
import { auditPage } from '../../projections/ledger/audit-log.queries.js';
import { transactionPage } from '../../projections/ledger/billing.queries.js';
import { entryIdOf } from '../../src/audit/domain/audit.events.js';
import { provenPage } from '../../src/audit/http/audit-log-proofs.js';
import { toAuditLogEntry } from '../../src/audit/http/audit-log.response.js';
import { toTransaction } from '../../src/credits/http/transaction.response.js';
import { chunk } from '../../src/kernel/chunk.js';
import { type NewEvent } from '../../src/kernel/events.js';
import { newUuid, type TenantId } from '../../src/kernel/ids.js';
import { type TransactionType } from '../../src/kernel/transactions.js';
import { type Config } from '../../src/platform/config/config.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { HmacKeyedHashes } from '../../src/platform/crypto/keyed-hashes.js';
import { SigningKeys } from '../../src/platform/crypto/signing-keys.js';
import { Leadership } from '../../src/platform/leadership/leadership.js';
import { LogTree } from '../../src/proofs/log-tree.js';
import { ProofReader } from '../../src/proofs/proof-reader.js';
import { goldenLog } from '../support/golden-log.js';
import { RetentionWorld } from '../support/retention-world.js';
import { eventually } from '../support/stack.js';

jest.setTimeout(120_000);

const TENANT = 't01hzzzzzzzzzzzzzzzzzzzzzzz' as TenantId;
const AUDIT = `audit-${TENANT}`;
const CREDITS = `credits-${TENANT}`;
const BATCH = 3;

/** How the log holds an entry: as an event of its own, in the event that charged it, or with others in one event. */
const FORMS = ['AccessRecorded.v1', 'OperationCharged.v1', 'DeductionSettled.v1', 'AccessesRecorded.v1'] as const;

/** The events whose transactions these are. */
const TRANSACTIONS: Readonly<Record<TransactionType, readonly string[]>> = {
  purchase: ['CreditsPurchased.v1'],
  auto_recharge: ['CreditsRecharged.v1'],
  usage: ['CreditsDeducted.v1', 'OperationCharged.v1'],
  refund: ['DeductionRefunded.v1', 'ChargeReversed.v1', 'CreditsReturned.v1'],
  adjustment: ['CreditsAdjusted.v1'],
  reversal: ['CreditsReversed.v1', 'CreditsRestored.v1', 'DebtPaid.v1'],
};

const access = { v: 1, alg: 'A256GCM', key: newUuid(), iv: 'AAAAAAAAAAAAAAAA', ct: 'Y2lwaGVydGV4dA' };

const eventOf = (type: string, data: object, id = newUuid()): NewEvent => ({
  id,
  type,
  data,
  metadata: {
    $correlationId: newUuid(),
    actor: { type: 'system', id: 'spec' },
    time: new Date().toISOString(),
    schemaVersion: 1,
  },
});

const accessed = (action: string): NewEvent => eventOf('AccessRecorded.v1', { action, result: 'ok', access });

const charged = (action: string): NewEvent => {
  const chargeId = newUuid();
  const cost = { chargeId, operation: 'check_eligibility', amount: 1, balance: 1 };
  return eventOf('OperationCharged.v1', { ...cost, action, result: 'ok', access, key: null }, chargeId);
};

const settled = (action: string): NewEvent => {
  const deductionId = newUuid();
  const paid = { deductionId, operation: 'report', amount: 5, deductedAt: new Date().toISOString() };
  return eventOf('DeductionSettled.v1', { ...paid, action, result: 'ok', access }, deductionId);
};

const batched = (action: string, batchId: string, from: number): NewEvent => {
  const entries = Array.from({ length: BATCH }, (_, at) => ({ index: from + at, access }));
  return eventOf('AccessesRecorded.v1', { action, result: 'ok', batchId, entries });
};

/** Of every action entries in every form. Of the last one a batch, of which a second attempt was cut otherwise. */
const entryEvents = (repeated: string): readonly (readonly [string, NewEvent])[] => [
  ...AUDIT_ACTIONS.flatMap((action) => [
    [AUDIT, accessed(action)] as const,
    [CREDITS, charged(action)] as const,
    [CREDITS, settled(action)] as const,
    [AUDIT, batched(action, newUuid(), 0)] as const,
  ]),
  [AUDIT, batched('data_ingested', repeated, 0)],
  [AUDIT, batched('data_ingested', repeated, 1)],
];

/** Every event of credits ever stored. Of settlements, those of every action stand among the entries. */
const transactionEvents = (): readonly (readonly [string, NewEvent])[] =>
  goldenLog()
    .filter(({ stream, type }) => stream === CREDITS && type !== 'DeductionSettled.v1')
    .map(({ id, type, data, metadata }) => [CREDITS, { id, type, data: data as object, metadata }]);

const repeated = newUuid();
let world: RetentionWorld;
let leadership: Leadership;
let reader: ProofReader;
let keys: readonly VerifierKey[];

beforeAll(async () => {
  world = await RetentionWorld.open();
  for (const [stream, event] of [...transactionEvents(), ...entryEvents(repeated)])
    await world.store.append(stream, [event], 'any');
  const onFault = (error: unknown): void => {
    throw error;
  };
  leadership = new Leadership({ database: world.databaseUrl, beatMs: 100, onFault });
  leadership.claim({ name: 'log-tree' });
  await eventually('the lead', () => leadership.holds('log-tree'));
  const { store, database } = world;
  const hashes = new HmacKeyedHashes(randomBytes(32));
  const material = { indexRoot: randomBytes(32), encryptionKeys: new Map([[1, randomBytes(32)]]), source: 'test' };
  const signing = new SigningKeys(database, new KeyRing(material));
  const config = { checkpointEvery: 0, environment: 'sandbox' } as Config;
  const tree = new LogTree(store, database, leadership, hashes, signing, config, pino({ enabled: false }));
  await followToEnd(tree, store);
  reader = new ProofReader(database, store, hashes, signing);
  keys = (await reader.verifierKeys()).map(parseVerifierKey);
  await world.caughtUp();
});

afterAll(async () => {
  await leadership.close();
  await world.close();
});

const NOBODY = { identityHash: '', ipAddress: '', userAgent: '', about: {}, answered: {} };

/** Every entry of the log as a caller gets it, verified as a stranger does. */
const provenEntries = async (): Promise<
  readonly (ProvenAnswer & { readonly id: string; readonly action: string })[]
> => {
  const range = { tenantId: TENANT, start: new Date(0), end: new Date('2100-01-01T00:00:00.000Z') };
  const { entries } = await auditPage(world.readModels, range, { limit: 1_000 });
  const pages = await Promise.all(chunk(entries, 100).map((page) => provenPage(reader, TENANT, page)));
  const proofs = pages.flat();
  return entries.map((entry, at) => {
    const answer = { ...toAuditLogEntry(entry, NOBODY), ...proofs[at] };
    return { id: entry.eventId, action: entry.action, ...verifyAnswer(answer, keys) };
  });
};

describe('a proof is never null once the tree has covered its event', () => {
  it('of an entry, whatever its action and however the log holds it', async () => {
    const proven = await provenEntries();
    const kinds = new Set(proven.map(({ action, event }) => `${action} in ${event.type}`));
    expect([...kinds].sort()).toEqual(
      AUDIT_ACTIONS.flatMap((action) => FORMS.map((form) => `${action} in ${form}`)).sort(),
    );
  });

  it('of an entry that two events record: it is proven by the first one', async () => {
    const proven = await provenEntries();
    const places = Array.from({ length: BATCH + 1 }, (_, index) => {
      const entry = proven.find(({ id }) => id === entryIdOf(repeated, index));
      return [entry?.entry, entry?.event.revision];
    });
    const [first, second] = [places[0]?.[1] as bigint, places[BATCH]?.[1] as bigint];
    expect(second).toBe(first + 1n);
    expect(places).toEqual([
      [{ index: 0, of: BATCH }, first],
      [{ index: 1, of: BATCH }, first],
      [{ index: 2, of: BATCH }, first],
      [{ index: 3, of: BATCH }, second],
    ]);
  });

  it('of a transaction, whatever its type and event', async () => {
    const { transactions } = await transactionPage(world.readModels, TENANT, { limit: 1_000, offset: 0 });
    const proofs = await reader.of(
      TENANT,
      transactions.map(({ id }) => id),
    );
    const kinds = transactions.map((transaction) => {
      const answer = { ...toTransaction(transaction), proof: proofs.get(transaction.id) ?? null };
      return `${transaction.type} by ${verifyAnswer(answer, keys).event.type}`;
    });
    expect([...new Set(kinds)].sort()).toEqual(
      Object.entries(TRANSACTIONS)
        .flatMap(([type, events]) => events.map((event) => `${type} by ${event}`))
        .sort(),
    );
  });
});
