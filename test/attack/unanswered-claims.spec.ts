import { jest } from '@jest/globals';
import { ClaimQueries } from '../../projections/claims/claims.queries.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { RequestedClaims } from '../../src/claims/requested-claims.js';
import { ClaimAudit } from '../../src/claims/claim-audit.js';
import { ClaimExpiry } from '../../src/claims/claim-expiry.js';
import { ClaimReactor } from '../../src/claims/claim.reactor.js';
import { claimStream } from '../../src/claims/domain/claim.events.js';
import { claimsStream } from '../../src/claims/domain/claims.events.js';
import { HeldClaims } from '../../src/claims/held-claims.js';
import { type AccountStandings } from '../../src/kernel/account-standings.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { IdentityWorld, person, RecordingAuditTrail, supplied } from '../support/identity-world.js';
import { inYears, RetentionWorld } from '../support/retention-world.js';

jest.setTimeout(180_000);

const ACCESS = { requestId: newUuid(), ipAddress: '127.0.0.1', userAgent: 'test', actorId: 'key-1', startedAt: 0 };

let world: RetentionWorld;

beforeAll(async () => {
  world = await RetentionWorld.open();
});
afterAll(() => world.close());

/** Tenants that attest the same person, with what they ingested in the real log. */
const holdersOf = async (count: number): Promise<readonly IdentityWorld[]> => {
  const holders = Array.from({ length: count }, () => new IdentityWorld());
  for (const holder of holders) {
    holder.clock.set(world.clock.now());
    await holder.ingest(supplied());
    for (const [stream, events] of holder.store.streams)
      for (const event of events) await world.store.append(stream, [event], 'any');
  }
  await world.caughtUp();
  return holders;
};

/** How many events and audit entries the end of a claim has on which that many holders were silent. */
const endOf = async (count: number): Promise<number> => {
  world.restart();
  const holders = await holdersOf(count);
  const asker = newTenantId();
  const audit = new RecordingAuditTrail();
  const identities = new EligibilityQueries(world.readModels);
  const trail = new ClaimAudit(audit, world.clock);
  const queries = new ClaimQueries(world.readModels);
  const requestedClaims = new RequestedClaims(world.aggregates, trail, world.clock);
  const held = new HeldClaims(world.aggregates, identities, trail, world.clock);
  const accounts: AccountStandings = {
    of: () => Promise.resolve({ name: 'A bank', suspended: false, isNamed: false }),
  };
  const reactor = new ClaimReactor(requestedClaims, held, identities, accounts, world.clock);
  const expiry = new ClaimExpiry(queries, requestedClaims, held, world.clock);
  const claimId = newUuid();
  const { email, phone_number: phone } = person();
  const identityHash = new IdentityWorld().hashes.identityHash(email, phone);
  const order = {
    tenantId: asker,
    claimId,
    identityHash,
    purpose: 'onboarding',
    access: ACCESS,
  } as const;
  await requestedClaims.request(order);
  for (const event of await world.store.read(claimsStream(asker))) await reactor.handle(event);
  await world.caughtUp();
  const streams = [claimsStream(asker), ...holders.map(({ tenantId }) => claimStream(tenantId, claimId))];
  const written = async (): Promise<number> => {
    const read = await Promise.all(streams.map((stream) => world.store.read(stream)));
    const sides = new Set([asker, ...holders.map(({ tenantId }) => tenantId)]);
    return read.flat().length + [...audit.entries.values()].filter(({ tenantId }) => sides.has(tenantId)).length;
  };
  const before = await written();
  world.clock.set(new Date(inYears(0, 30).getTime() + 61_000));
  await expiry.run();
  await world.caughtUp();
  expect((await queries.find(asker, claimId))?.status).toBe('rejected');
  return (await written()) - before;
};

describe('the end of a claim on which everybody is silent', () => {
  it('takes up the same room in the log, whether nobody, one or three attest the person', async () => {
    const room = [await endOf(0), await endOf(1), await endOf(3)];
    expect(room).toEqual(room.map(() => room[0]));
  });
});
