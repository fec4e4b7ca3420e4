import { type CredentialQueries } from '../../projections/credentials/credentials.queries.js';
import { aggregatesOf } from '../../test/support/aggregates.js';
import { PersonVault, RecordingAuditTrail } from '../../test/support/identity-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { ChangeCredentialHandler } from './change-credential.handler.js';
import { ChangeCredential } from './commands.js';
import { CredentialRepository } from './credential-repository.js';

const IDENTITY = 'idn_00000000000000000000000000000001';
const IDENTITY_HASH = 'ab'.repeat(32);
const target = { tenantId: newTenantId(), credentialId: newUuid() };
const access = { requestId: 'r', ipAddress: '127.0.0.1', userAgent: '', actorId: 'key-1', startedAt: 0 };
const clock = new ManualClock();
const registry: Pick<CredentialQueries, 'reaches'> = { reaches: () => Promise.resolve(true) };

const world = async () => {
  const [vault, audit] = [new PersonVault(), new RecordingAuditTrail()];
  const repository = new CredentialRepository(aggregatesOf(new SimulatedEventStore(), clock), vault);
  const handler = new ChangeCredentialHandler(repository, audit, registry as CredentialQueries, clock);
  const issued = {
    credentialId: target.credentialId,
    identityId: IDENTITY,
    identityHash: IDENTITY_HASH,
    tier: 'Tier1',
    kid: 'key-1',
    issuedAt: clock.now().toISOString(),
    expiresAt: '2027-03-01T12:00:00.000Z',
    status: { list: 1, index: 1 },
    token: await repository.sealToken(target, IDENTITY, 'a token'),
  } as const;
  const metadata = { requestId: 'r', actor: { type: 'tenant', id: 'key-1' } } as const;
  await repository.issue(target, issued, { now: clock.now(), metadata });
  const change = (change: ChangeCredential['data']['change'], reason?: string) =>
    handler.execute(new ChangeCredential({ ...target, change, reason, changeId: newUuid(), repeated: false, access }));
  const reason = async () => repository.openReason(target, (await repository.load(target)).state);
  return { vault, audit, repository, issued, change, reason };
};

describe('a change of a credential', () => {
  it('is audited as that once, and as a read where it changes nothing', async () => {
    const { audit, change } = await world();
    for (const verb of ['suspend', 'suspend', 'revoke', 'revoke'] as const) await change(verb, 'Lost');
    const actions = ['credential_suspended', 'credential_read', 'credential_revoked', 'credential_read'];
    expect([...audit.entries.values()]).toMatchObject(
      actions.map((action) => ({ action, identityHash: IDENTITY_HASH })),
    );
  });

  it('has a reason that goes with the person', async () => {
    const { vault, issued, change, reason } = await world();
    await change('revoke', 'Ada Example lost her phone');
    expect(await reason()).toBe('Ada Example lost her phone');
    vault.destroy([issued.token.key]);
    expect(await reason()).toBeNull();
  });

  it('has no reason while the person is being erased: a new key would keep it', async () => {
    const { vault, issued, change, reason } = await world();
    vault.destroy([issued.token.key]);
    await change('revoke', 'Ada Example lost her phone');
    expect(await reason()).toBeNull();
  });
});
