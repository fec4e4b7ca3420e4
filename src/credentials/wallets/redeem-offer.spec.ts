import { generateKeyPairSync } from 'node:crypto';
import { type JWK } from 'jose';
import { type EligibilityQueries } from '../../../projections/eligibility/eligibility.queries.js';
import { aggregatesOf } from '../../../test/support/aggregates.js';
import { PersonVault, RecordingAuditTrail } from '../../../test/support/identity-world.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { type AccountStanding } from '../../kernel/account-standings.js';
import { newTenantId, newUuid, type TenantId } from '../../kernel/ids.js';
import { type Eligibility } from '../attestations.js';
import { CredentialRepository } from '../credential-repository.js';
import { statusOf } from '../domain/credential.js';
import { IssuanceJudgements } from '../issuance-judgements.js';
import { RedeemOfferHandler } from './redeem-offer.handler.js';
import { SdJwtMaker } from './sd-jwt-maker.js';
import { RedeemOffer } from './wallet.commands.js';

const ATTESTED: Eligibility = { eligible: true, until: null, verifiedAt: null, birthDateKnown: false, attestors: [] };
const ENDED: Eligibility = { eligible: false };
const DENIED = { extra: { members: { error: 'credential_request_denied' } } };
const identityId = 'idn_00000000000000000000000000000001';
const access = { requestId: 'r', ipAddress: '127.0.0.1', userAgent: '', actorId: 'key-1', startedAt: 0 };
const metadata = { requestId: 'r', actor: { type: 'system', id: 'wallet' } } as const;
const person = {
  email: 'ada@example.org',
  phone: '+12025550123',
  full_name: 'Ada Example',
  date_of_birth: '1990-12-10',
};
const account = { suspended: false, isNamed: true };
const ACCOUNTS: Readonly<Record<string, AccountStanding>> = {
  one: { ...account, name: 'Beta Bank' },
  other: { ...account, name: 'Acme Bank' },
  silent: { ...account, name: 'Silent Bank', isNamed: false },
  suspended: { ...account, name: 'Closed Bank', suspended: true },
};
const newHolder = (): JWK => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });

/** An offer that a wallet accepted. `judge`: what the index says at each look at the person. */
const accepted = async (judge: () => Eligibility) => {
  const target = { tenantId: newTenantId(), credentialId: newUuid() };
  const clock = new ManualClock();
  const vault = new PersonVault();
  const credentials = new CredentialRepository(aggregatesOf(new SimulatedEventStore(), clock), vault);
  const index = { reached: true };
  const reaches = () => Promise.resolve(index.reached);
  const judgements = new IssuanceJudgements(
    { judge: () => Promise.resolve(judge()) } as never,
    { reaches } as Partial<EligibilityQueries> as EligibilityQueries,
    undefined as never,
    clock,
    { issuancePolicy: 'attested' },
  );
  const { privateKey } = generateKeyPairSync('ed25519');
  const address = 'https://issuer.example';
  const copies = new SdJwtMaker(
    { establish: () => Promise.resolve({ issuer: address, baseUrl: address }) } as never,
    { signer: () => Promise.resolve({ kid: 'k', key: privateKey }) } as never,
    { take: () => Promise.resolve({ list: 1, index: 1 }) } as never,
  );
  const audit = new RecordingAuditTrail();
  const accounts = { of: (tenantId: TenantId) => Promise.resolve(ACCOUNTS[tenantId]) };
  const handler = new RedeemOfferHandler(judgements, undefined as never, copies, credentials, audit, accounts, clock);
  const now = clock.now();
  const until = new Date(now.getTime() + 300_000);
  const offered = {
    credentialId: target.credentialId,
    identityId,
    identityHash: 'ab'.repeat(32),
    tier: 'Tier1',
    person: await credentials.sealPerson(target, identityId, person),
    asksCode: false,
    offeredAt: now.toISOString(),
    expiresAt: until.toISOString(),
  } as const;
  await credentials.offer(target, offered, metadata);
  const command = { kind: 'accept', attemptId: newUuid(), codeIsRight: true, until, now } as const;
  await credentials.changeOffer(target, command, metadata);
  const holders = [newHolder()];
  return {
    index,
    audit,
    redeem: () => handler.execute(new RedeemOffer({ ...target, format: 'dc+sd-jwt', holders, access })),
    erase: () => vault.destroy([offered.person.key]),
    outcome: async () => {
      const { state } = await credentials.load(target);
      return [state.issued === null ? 'none' : statusOf(state), state.offer?.ended];
    },
  };
};

describe('a redemption', () => {
  it('issues once, and a repeat gets the same', async () => {
    const { redeem, outcome, audit } = await accepted(() => ATTESTED);
    const first = await redeem();
    expect(await redeem()).toEqual(first);
    expect([await outcome(), audit.entries.size]).toEqual([['issued', null], 1]);
  });

  it('names the attestors that agreed, each once, in an order that says nothing', async () => {
    const attestors = ['silent', 'one', 'suspended', 'other', 'one', 'gone'] as TenantId[];
    const { redeem } = await accepted(() => ({ ...ATTESTED, attestors }));
    const [copy = ''] = (await redeem()).credentials;
    const named = copy.split('~').flatMap((part) => {
      const text = Buffer.from(part, 'base64url').toString('utf8');
      return text.includes('"attested_by"') ? [(JSON.parse(text) as unknown[])[2]] : [];
    });
    expect(named).toEqual([['Acme Bank', 'Beta Bank']]);
  });

  it('issues nothing about a person who was erased in between', async () => {
    const erasing: { erase: () => void } = { erase: () => undefined };
    const world = await accepted(() => {
      erasing.erase();
      return ATTESTED;
    });
    erasing.erase = world.erase;
    await expect(world.redeem()).rejects.toMatchObject(DENIED);
    expect([await world.outcome(), world.audit.entries.size]).toEqual([['none', 'erased'], 0]);
  });

  it('whose attestation ended as it was appended is denied, also where only a repeat sees it', async () => {
    let eligibility: Eligibility = ATTESTED;
    const { redeem, outcome, index } = await accepted(() => eligibility);
    index.reached = false;
    await expect(redeem()).rejects.toMatchObject({ part: 'read_models' });
    index.reached = true;
    eligibility = ENDED;
    await expect(redeem()).rejects.toMatchObject(DENIED);
    expect(await outcome()).toEqual(['revoked', 'not_attested']);
    await expect(redeem()).rejects.toMatchObject(DENIED);
  });
});
