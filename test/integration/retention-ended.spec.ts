import { credentialStream } from '../../src/credentials/domain/credential.events.js';
import { documentStream } from '../../src/reports/domain/document.events.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { inYears, RetentionWorld } from '../support/retention-world.js';

const START = inYears(0);

let world: RetentionWorld;

beforeAll(async () => {
  world = await RetentionWorld.open();
}, 60_000);

afterAll(() => world.close());

const STATUS = { list: 0, index: 5 };
const TOKEN = { v: 1, alg: 'A256GCM', key: '00000000-0000-4000-8000-000000000001', iv: '', ct: '' } as const;
const LATER = new Date(START.getTime() + 86_400_000).toISOString();
const tenantId: TenantId = newTenantId();

const append = async (stream: string, ...events: DomainEvent[]): Promise<void> => {
  const actor = { type: 'system', id: 'spec' } as const;
  const metadata = { $correlationId: newUuid(), actor, time: START.toISOString(), schemaVersion: 1 };
  await world.store.append(
    stream,
    events.map((event) => ({ id: newUuid(), ...event, metadata })),
    'no_stream',
  );
};

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

const kept = async (table: 'credentials' | 'documents', column: string): Promise<unknown[]> => {
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
    await world.expectRebuildEqual();
    await world.scavenge();
    await world.expectRebuildEqual();
  });

  it('takes the record of a report after seven years', async () => {
    world.restart();
    const documentId = newUuid();
    const request = { documentId, kind: 'export', format: 'json', period: null, include: [], identityId: null };
    await append(documentStream(tenantId, documentId), {
      type: 'DocumentRequested.v1',
      data: { ...request, deductionId: null, requestedAt: START.toISOString() },
    });
    await world.caughtUp();
    await world.purgeAt(inYears(6, 364));
    expect(await kept('documents', 'document_id')).toEqual([documentId]);
    await world.purgeAt(inYears(7, 1));
    expect(await kept('documents', 'document_id')).toEqual([]);
    await world.expectRebuildEqual();
  });
});
