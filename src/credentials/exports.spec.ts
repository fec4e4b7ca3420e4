import { aggregatesOf } from '../../test/support/aggregates.js';
import { PersonVault } from '../../test/support/identity-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { type Exports } from '../contract/exports/export-section.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type ReadModelSnapshot } from '../log/project/projection.js';
import { type Envelope } from '../kernel/envelope.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { type Place } from '../platform/crypto/vault.js';
import { CredentialRepository } from './credential-repository.js';
import { CredentialsExport } from './credentials-export.js';
import { OffersExport } from './wallets/offers-export.js';

const tenantId = newTenantId();
const metadata = { requestId: 'r', actor: { type: 'system', id: 'test' } } as const;
const AT = '2026-11-29T10:00:00.000Z';
const person = { email: 'ada@example.org', phone: '+12025550123', full_name: 'Ada', date_of_birth: '1990-12-10' };

/** A vault whose keys of some streams are lost. */
class LossyVault extends PersonVault {
  readonly lost = new Set<string>();

  override open(place: Place, envelope: Envelope): Promise<unknown> {
    if (this.lost.has(place.stream)) return Promise.reject(new DataKeyMissing(envelope.key));
    return super.open(place, envelope);
  }
}

const vault = new LossyVault();
const clock = new ManualClock();
const credentials = new CredentialRepository(aggregatesOf(new SimulatedEventStore(), clock), vault);
const subject = { identityId: 'idn_1', identityHash: 'ab'.repeat(32), tier: 'Tier1' } as const;

const issued = async (): Promise<string> => {
  const credentialId = newUuid();
  const target = { tenantId, credentialId };
  const token = await credentials.sealToken(target, subject.identityId, 'a.b.c');
  const life = { issuedAt: AT, expiresAt: '2027-11-29T10:00:00.000Z', status: { list: 1, index: 1 }, kid: 'k' };
  await credentials.issue(target, { credentialId, ...subject, ...life, token }, { now: clock.now(), metadata });
  return credentialId;
};

const offered = async (): Promise<string> => {
  const credentialId = newUuid();
  const target = { tenantId, credentialId };
  const sealed = await credentials.sealPerson(target, subject.identityId, person);
  const life = { asksCode: false, offeredAt: AT, expiresAt: '2026-11-29T10:15:00.000Z' };
  await credentials.offer(target, { credentialId, ...subject, person: sealed, ...life }, metadata);
  return credentialId;
};

const rowOf = (credentialId: string, position: number) => ({
  credentialId,
  ...subject,
  status: 'offered',
  endedBecause: null,
  offeredAt: new Date(AT),
  until: new Date(AT),
  position: String(position),
});

/** Answers as the tables would: those behind a position, at most so many. */
const snapshotOf = (ids: readonly string[]): ReadModelSnapshot =>
  ({
    query: ({ values }: { values: readonly unknown[] }) => {
      const [, , after, limit] = values;
      const rows = ids.map(rowOf).filter(({ position }) => Number(position) > Number(after));
      return Promise.resolve(rows.slice(0, Number(limit)));
    },
  }) as unknown as ReadModelSnapshot;

const recordsOf = async (exports: Exports, ids: readonly string[]): Promise<readonly object[]> => {
  const found: object[] = [];
  const name = () => Promise.resolve();
  for await (const page of exports.records({ tenantId, person: undefined, snapshot: snapshotOf(ids), name }))
    found.push(...page);
  return found;
};

const lose = (credentialId: string): void => {
  vault.lost.add(`credential-${tenantId}_${credentialId.replaceAll('-', '')}`);
};

describe('an export goes on past what does not open, and marks it', () => {
  it('of credentials', async () => {
    const [lost, whole] = [await issued(), await issued()];
    lose(lost);
    const [marked, other] = await recordsOf(new CredentialsExport(credentials), [lost, whole]);
    expect(marked).toMatchObject({ credential_id: `urn:uuid:${lost}`, unreadable: true });
    expect(marked).not.toHaveProperty('token');
    expect(other).toMatchObject({ credential_id: `urn:uuid:${whole}`, token: 'a.b.c', reason: null });
  });

  it('of offers', async () => {
    const [lost, whole] = [await offered(), await offered()];
    lose(lost);
    const [marked, other] = await recordsOf(new OffersExport(credentials), [lost, whole]);
    expect(marked).toMatchObject({ offer_id: lost, status: 'offered', unreadable: true });
    expect(marked).not.toHaveProperty('person');
    expect(other).toMatchObject({ offer_id: whole, person });
  });

  it('but not past a store that is away', async () => {
    const [offer, credential] = [await offered(), await issued()];
    vault.outage = new Unavailable('read_models');
    await expect(recordsOf(new OffersExport(credentials), [offer])).rejects.toThrow(Unavailable);
    await expect(recordsOf(new CredentialsExport(credentials), [credential])).rejects.toThrow(Unavailable);
    vault.outage = undefined;
  });
});

describe('an export of more than a page', () => {
  it.each([
    ['credentials', () => new CredentialsExport(credentials), issued],
    ['offers', () => new OffersExport(credentials), offered],
  ] as const)('has all %s, each once', async (_, exportsOf, made) => {
    const ids = await Promise.all(Array.from({ length: 401 }, () => made()));
    const found = (await recordsOf(exportsOf(), ids)) as { readonly offer_id?: string; credential_id: string }[];
    const named = found.map(({ offer_id: offer, credential_id: id }) => offer ?? id.slice('urn:uuid:'.length));
    expect(named).toEqual(ids);
  });
});
