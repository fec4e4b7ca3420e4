import { generateKeyPairSync } from 'node:crypto';
import { type EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { aggregatesOf } from '../../test/support/aggregates.js';
import { PersonVault } from '../../test/support/identity-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { type Eligibility } from './attestations.js';
import { IssueCredential } from './commands.js';
import { CredentialRepository } from './credential-repository.js';
import { statusOf } from './domain/credential.js';
import { IssuanceJudgements } from './issuance-judgements.js';
import { TokenMaker } from './token-maker.js';
import { IssueCredentialHandler } from './issue-credential.handler.js';

const ATTESTED: Eligibility = { eligible: true, until: null, verifiedAt: null, birthDateKnown: false, attestors: [] };
const ENDED: Eligibility = { eligible: false };
const target = { tenantId: newTenantId(), credentialId: newUuid() };
const access = { requestId: 'r', ipAddress: '127.0.0.1', userAgent: '', actorId: 'key-1', startedAt: 0 };
const clock = new ManualClock();
const person = {
  email: 'ada@example.org',
  phone: '+12025550123',
  tier: 'Tier1',
  identityHash: 'ab'.repeat(32),
  fullName: 'Ada Example',
  dateOfBirth: undefined,
} as const;

/** `judgements` are what the index says at each look; `reached`: whether it comes as far as the issuance. */
const world = (judgements: readonly Eligibility[], { reached = true, policy = 'attested' } = {}) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const credentials = new CredentialRepository(aggregatesOf(new SimulatedEventStore(), clock), new PersonVault());
  const looks: bigint[] = [];
  let judged = 0;
  const judging = new IssuanceJudgements(
    { judge: () => Promise.resolve(judgements[(judged += 1) - 1] ?? ENDED) } as never,
    {
      reaches: (position: bigint) => {
        looks.push(position);
        return Promise.resolve(reached);
      },
    } as Partial<EligibilityQueries> as EligibilityQueries,
    { noted: 0, waitUntil: () => Promise.resolve(undefined), add: () => Promise.resolve() } as never,
    clock,
    { issuancePolicy: policy } as never,
  );
  const keys = {
    signer: () => Promise.resolve({ kid: 'k', key: privateKey }),
    find: () => Promise.resolve({ pem: 'pem' }),
  } as never;
  const hashes = { phone: () => 'hash', identityId: () => 'idn_00000000000000000000000000000001' } as never;
  const issuer = { issuer: 'https://issuer.example', baseUrl: 'https://issuer.example' };
  const tokens = new TokenMaker(
    { establish: () => Promise.resolve(issuer) } as never,
    keys,
    { take: () => Promise.resolve({ list: 1, index: 1 }) } as never,
    hashes,
  );
  const handler = new IssueCredentialHandler(judging, tokens, keys, credentials, hashes, clock);
  const issue = () => handler.execute(new IssueCredential({ ...target, person, access, notedRefusals: 0 }));
  const status = async () => {
    const { state } = await credentials.load(target);
    return state.issued === null ? 'none' : statusOf(state);
  };
  return { issue, status, looks };
};

describe('an issuance', () => {
  it('is judged before it, and at its place in the log', async () => {
    const { issue, status, looks } = world([ATTESTED, ATTESTED]);
    await issue();
    expect([await status(), looks]).toEqual(['issued', [expect.any(BigInt)]]);
  });

  it('whose attestation ends as it is appended is refused, and the credential revoked', async () => {
    const { issue, status } = world([ATTESTED, ENDED]);
    await expect(issue()).rejects.toMatchObject({ code: 'identity_not_eligible' });
    expect(await status()).toBe('revoked');
  });

  it('is not answered while the index cannot say whether it is still attested', async () => {
    const { issue } = world([ATTESTED, ATTESTED], { reached: false });
    await expect(issue()).rejects.toMatchObject({ part: 'read_models' });
  });

  it('rests on nobody under the open policy', async () => {
    const { issue, status, looks } = world([ENDED, ENDED], { policy: 'open' });
    await issue();
    expect([await status(), looks]).toEqual(['issued', []]);
  });
});
