import { jest } from '@jest/globals';
import { ClaimQueries } from '../../projections/claims/claims.queries.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { RequestedClaims } from '../../src/claims/requested-claims.js';
import { ClaimAudit } from '../../src/claims/claim-audit.js';
import { ClaimExpiry } from '../../src/claims/claim-expiry.js';
import { ClaimReactor } from '../../src/claims/claim.reactor.js';
import { ClaimRecords } from '../../src/claims/claim-records.js';
import { claimStream } from '../../src/claims/domain/claim.events.js';
import { claimsStream } from '../../src/claims/domain/claims.events.js';
import { HeldClaims } from '../../src/claims/held-claims.js';
import { identityStream } from '../../src/identity/domain/identity.events.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type AccountStandings } from '../../src/kernel/account-standings.js';
import { toClaimResponse } from '../../src/claims/http/claims.response.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { IdentityWorld, person, RecordingAuditTrail, supplied } from '../support/identity-world.js';
import { inYears, RetentionWorld } from '../support/retention-world.js';
import { type PurgeTimes, PurgePreview } from '../../src/retention/purge-preview.js';

jest.setTimeout(180_000);

const ACCESS = { requestId: newUuid(), ipAddress: '127.0.0.1', userAgent: 'test', actorId: 'key-1', startedAt: 0 };

let world: RetentionWorld;

const purgeTimes = (tenantId: TenantId): Promise<PurgeTimes> =>
  new PurgePreview(world.readModels, world.aggregates, world.clock).times(tenantId);
let people: IdentityWorld;
let audit: RecordingAuditTrail;
let asker: TenantId;
let holder: TenantId;
let requestedClaims: RequestedClaims;
let held: HeldClaims;
let expiry: ClaimExpiry;
let reactor: ClaimReactor;
let records: ClaimRecords;
let queries: ClaimQueries;

beforeAll(async () => {
  world = await RetentionWorld.open();
});
afterAll(() => world.close());

/** Puts what the holder's streams hold so far into the real log. */
const record = async (): Promise<void> => {
  for (const [stream, events] of people.store.streams) {
    const { length } = await world.store.read(stream);
    for (const event of events.slice(length)) await world.store.append(stream, [event], 'any');
  }
  await world.caughtUp();
};

beforeEach(async () => {
  world.restart();
  people = new IdentityWorld();
  people.clock.set(world.clock.now());
  [asker, holder] = [newTenantId(), people.tenantId];
  await people.ingest(supplied());
  await record();
  audit = new RecordingAuditTrail();
  const identities = new EligibilityQueries(world.readModels);
  const trail = new ClaimAudit(audit, world.clock);
  queries = new ClaimQueries(world.readModels);
  requestedClaims = new RequestedClaims(world.aggregates, trail, world.clock);
  held = new HeldClaims(world.aggregates, identities, trail, world.clock);
  expiry = new ClaimExpiry(queries, requestedClaims, held, world.clock);
  const names = new Map([
    [asker, 'Asking Bank'],
    [holder, 'Attesting Bank'],
  ]);
  const accounts: AccountStandings = {
    of: (tenantId) => Promise.resolve({ name: names.get(tenantId) ?? '', suspended: false, isNamed: false }),
  };
  reactor = new ClaimReactor(requestedClaims, held, identities, accounts, world.clock);
  records = new ClaimRecords(requestedClaims, identities, people.vault, trail, world.clock);
});

/** Lets the reactor handle every event of a stream, twice, as after a crash. */
const react = async (stream: string): Promise<void> => {
  for (let time = 0; time < 2; time += 1)
    for (const event of await world.store.read(stream))
      if (['ClaimRequested.v1', 'ClaimApproved.v1'].includes(event.type)) await reactor.handle(event);
  await world.caughtUp();
};

const request = async (): Promise<string> => {
  const claimId = newUuid();
  const { email, phone_number: phone } = person();
  const identityHash = people.hashes.identityHash(email, phone);
  await requestedClaims.request({
    tenantId: asker,
    claimId,
    identityHash,
    purpose: 'onboarding',
    access: ACCESS,
  });
  await react(claimsStream(asker));
  return claimId;
};

const approve = async (claimId: string): Promise<void> => {
  await held.approve({ tenantId: holder, claimId, decisionId: newUuid(), repeated: false, access: ACCESS }, [
    'full_name',
  ]);
  await react(claimStream(holder, claimId));
};

const typesOf = async (stream: string): Promise<string[]> => (await world.store.read(stream)).map(({ type }) => type);

const entriesOf = (tenantId: TenantId): string[] =>
  [...audit.entries.values()].filter((entry) => entry.tenantId === tenantId).map(({ action }) => action);

const days = (count: number, seconds = 0): Date => new Date(inYears(0, count).getTime() + seconds * 1_000);

describe('a claim on which everybody is silent', () => {
  it('is rejected on both sides after 30 days, once, and audited for the asker', async () => {
    const claimId = await request();
    for (const [time, status] of [
      [days(30, 59), 'requested'],
      [days(30, 61), 'rejected'],
      [days(31), 'rejected'],
    ] as const) {
      world.clock.set(time);
      await expiry.run();
      await world.caughtUp();
      expect((await queries.find(asker, claimId))?.status).toBe(status);
      const received = await queries.find(holder, claimId);
      expect(received && toClaimResponse(received, world.clock.now()).status).toBe('rejected');
    }
    expect(await typesOf(claimsStream(asker))).toEqual(['ClaimRequested.v1', 'ClaimLapsed.v1']);
    expect(entriesOf(asker)).toEqual(['claim_rejected']);
    // Nothing of a holder's silence is in the log, where the asker could count it.
    expect(await typesOf(claimStream(holder, claimId))).toEqual([]);
    expect(entriesOf(holder)).toEqual([]);
  });
});

describe('an approval', () => {
  it('opens the record for 30 days, whatever is repeated', async () => {
    const claimId = await request();
    world.clock.set(days(29));
    await approve(claimId);
    expect(await typesOf(claimsStream(asker))).toEqual(['ClaimRequested.v1', 'ClaimGranted.v1']);
    world.clock.set(days(31));
    await expiry.run();
    expect(await typesOf(claimsStream(asker))).toEqual(['ClaimRequested.v1', 'ClaimGranted.v1']);
    world.clock.set(days(59, -1));
    const read = await records.read(asker, claimId, ACCESS);
    expect(read.map(({ record: fields }) => fields)).toEqual([{ full_name: person().full_name }]);
    world.clock.set(days(59));
    await expect(records.read(asker, claimId, ACCESS)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is worth nothing once the identity is erased, and its data key destroyed', async () => {
    const claimId = await request();
    await approve(claimId);
    expect(await records.read(asker, claimId, ACCESS)).toHaveLength(1);
    const [ingested] = await world.store.read(identityStream(holder, people.identityId()));
    people.vault.destroy([(ingested?.data as { personal: Envelope }).personal.key]);
    await expect(records.read(asker, claimId, ACCESS)).rejects.toMatchObject({ code: 'not_found' });
    expect(entriesOf(asker).filter((action) => action === 'claim_record_read')).toHaveLength(1);
  });
});

describe('the erasure of an identity', () => {
  const erase = (): Promise<number> =>
    expiry.erase({
      tenantId: holder,
      identityId: people.identityId(),
      identityHash: '',
      dataKeyIds: [],
      decisionId: newUuid(),
      requestId: newUuid(),
    });

  it('ends the claims on it, once, and for the asker changes nothing before the end of its claim', async () => {
    const claimId = await request();
    expect(await erase()).toBe(1);
    await world.caughtUp();
    expect(await erase()).toBe(0);
    expect((await queries.find(holder, claimId))?.status).toBe('rejected');
    expect((await queries.find(asker, claimId))?.status).toBe('requested');
  });
});

describe('the purge after seven years', () => {
  /** The beginning of that UTC day. */
  const midnight = (...time: Parameters<typeof inYears>): Date => new Date(inYears(...time).setUTCHours(0, 0, 0, 0));

  it('removes claims on both sides, events and rows, and a rebuild finds the same', async () => {
    const old = await request();
    await approve(old);
    world.clock.set(inYears(6));
    const recent = await request();
    expect(await purgeTimes(asker)).toEqual({ lastPurge: null, nextPurge: midnight(7, 1) });
    await world.purgeAt(inYears(7, 1));
    expect(await purgeTimes(asker)).toMatchObject({
      lastPurge: inYears(7, 1),
      nextPurge: midnight(13, 1),
    });
    expect(await typesOf(claimsStream(asker))).toEqual(['ClaimRequested.v1']);
    expect(await typesOf(claimStream(holder, old))).toEqual([]);
    for (const tenantId of [asker, holder]) {
      expect(await queries.find(tenantId, old)).toBeUndefined();
      expect(await queries.find(tenantId, recent)).toBeDefined();
    }
    await world.expectRebuildEqual();
    expect(await world.scavenge()).toBeGreaterThan(0);
    await world.expectRebuildEqual();
  });
});
