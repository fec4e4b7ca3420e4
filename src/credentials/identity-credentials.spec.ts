import { CredentialQueries } from '../../projections/credentials/credentials.queries.js';
import { aggregatesOf } from '../../test/support/aggregates.js';
import { PersonVault } from '../../test/support/identity-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { type StoredEvent } from '../kernel/events.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { type ReadModels } from '../log/project/projection.js';
import { CredentialErasure } from './credential-erasure.js';
import { CredentialRepository } from './credential-repository.js';
import { type CredentialIssued } from './domain/credential.events.js';
import { statusOf } from './domain/credential.js';
import { IdentityCredentials } from './identity-credentials.js';
import { IdentityCredentialsReactor } from './identity-credentials.reactor.js';

const IDENTITY = 'idn_00000000000000000000000000000001';
/** No offer waits for a wallet. */
const NO_OFFERS = { query: () => Promise.resolve([]) } as unknown as ReadModels;
const METADATA = { requestId: newUuid(), actor: { type: 'tenant', id: 'key-1' } } as const;

/** The registry as the tests' credentials make it. */
class Registry extends CredentialQueries {
  readonly rows: { readonly credentialId: string; readonly key: string }[] = [];

  constructor() {
    super({} as ReadModels);
  }

  override reaches(): Promise<boolean> {
    return Promise.resolve(true);
  }

  override ofIdentity(): Promise<readonly string[]> {
    return Promise.resolve(this.rows.map(({ credentialId }) => credentialId));
  }

  override underKeys(_tenantId: string, _identityId: string, keys: readonly string[]): Promise<readonly string[]> {
    const under = this.rows.filter(({ key }) => keys.includes(key));
    return Promise.resolve(under.map(({ credentialId }) => credentialId));
  }
}

const tenantId = newTenantId();
const clock = new ManualClock();
let store: SimulatedEventStore;
let vault: PersonVault;
let registry: Registry;
let repository: CredentialRepository;
let credentials: IdentityCredentials;

beforeEach(() => {
  store = new SimulatedEventStore();
  vault = new PersonVault();
  registry = new Registry();
  repository = new CredentialRepository(aggregatesOf(store, clock), vault);
  credentials = new IdentityCredentials(repository, clock);
});

const newCredential = async (): Promise<CredentialIssued['data']> => {
  const target = { tenantId, credentialId: newUuid() };
  const issued: CredentialIssued['data'] = {
    credentialId: target.credentialId,
    identityId: IDENTITY,
    identityHash: 'ab'.repeat(32),
    tier: 'Tier1',
    kid: 'key-1',
    issuedAt: clock.now().toISOString(),
    expiresAt: '2027-03-01T12:00:00.000Z',
    status: { list: 1, index: registry.rows.length },
    token: await repository.sealToken(target, IDENTITY, 'a token'),
  };
  await repository.issue(target, issued, { now: clock.now(), metadata: METADATA });
  registry.rows.push({ credentialId: target.credentialId, key: issued.token.key });
  return issued;
};

const stateOf = async ({ credentialId }: { credentialId: string }) =>
  (await repository.load({ tenantId, credentialId })).state;

const identityEvent = (type: string): StoredEvent => ({
  id: newUuid(),
  type,
  data: { identityId: IDENTITY },
  metadata: { $correlationId: newUuid(), actor: METADATA.actor, time: '', schemaVersion: 1 },
  stream: `identity-${tenantId}_${IDENTITY.slice(4)}`,
  revision: 1n,
  position: 1n,
  created: clock.now(),
});

describe('with its identity a credential', () => {
  it('is suspended and reinstated, once for each event however often it is handled', async () => {
    const issued = await newCredential();
    const reactor = new IdentityCredentialsReactor(registry, credentials);
    const [deleted, restored] = [identityEvent('IdentityDeleted.v1'), identityEvent('IdentityRestored.v1')];
    for (const event of [deleted, deleted]) await reactor.handle(event);
    expect(statusOf(await stateOf(issued))).toBe('suspended');
    for (const event of [restored, restored]) await reactor.handle(event);
    expect(statusOf(await stateOf(issued))).toBe('issued');
    const [stream] = [...store.streams.values()];
    expect(stream?.map(({ type }) => type)).toEqual([
      'CredentialIssued.v1',
      'CredentialSuspended.v1',
      'CredentialReinstated.v1',
    ]);
    expect(stream?.[1]?.metadata).toMatchObject({ $causationId: deleted.id });
  });
});

describe('the erasure of a person', () => {
  it('revokes the credentials under the destroyed keys, counts each once, and leaves those of a later life', async () => {
    const [first, second] = [await newCredential(), await newCredential()];
    const dataKeyIds = [first.token.key];
    vault.destroy(dataKeyIds);
    const later = await newCredential();
    const erasure = new CredentialErasure(store, registry, NO_OFFERS, credentials);
    const subject = {
      tenantId,
      identityId: IDENTITY,
      identityHash: 'ab'.repeat(32),
      dataKeyIds,
      decisionId: newUuid(),
      requestId: newUuid(),
    };
    expect(await erasure.erase(subject)).toBe(2);
    expect(await erasure.erase(subject)).toBe(0);
    for (const issued of [first, second]) {
      expect(statusOf(await stateOf(issued))).toBe('revoked');
      expect(await repository.openToken({ tenantId, credentialId: issued.credentialId }, issued)).toBeUndefined();
    }
    expect(statusOf(await stateOf(later))).toBe('issued');
  });
});
