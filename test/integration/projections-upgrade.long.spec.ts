import { randomBytes } from 'node:crypto';
import { newTenantId, newUuid, uuidHex } from '../../src/kernel/ids.js';
import { retryWhileUnavailable } from '../../src/kernel/retry-while-unavailable.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { readCheckpoint } from '../../src/log/project/checkpoints.js';
import { ProjectionSession } from '../../src/platform/postgres/session.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { Http } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { type OtherVersion, withRenamedColumn } from '../support/other-version.js';
import { ownPort } from '../support/ports.js';
import { spawnService } from '../support/service.js';
import { eventually, newDataDir, sleep, type TestProcess } from '../support/stack.js';

const CREDITS = 1_000_000;
const PEOPLE = 24;
/** Of those, the ones who are deleted while the rows are made anew, and after. */
const DELETED = 6;
const STREAMS = 100;
const EVENTS_A_STREAM = 200;

/** Events of other people for the rebuild to read. */
const fillLog = async (connectionString: string): Promise<bigint> => {
  const store = new GrpcEventStore({ connectionString, budgetMs: 30_000 });
  const tenantId = newTenantId();
  const now = new Date().toISOString();
  const fill = async (): Promise<bigint> => {
    const [identityHash, ingestionId] = [randomBytes(32).toString('hex'), newUuid()];
    const identityId = `idn_${uuidHex(newUuid())}`;
    const data = {
      identityId,
      identityHash,
      ingestionId,
      recordIndex: 0,
      acceptedPosition: '1',
      receivedAt: now,
      kycStatus: 'APPROVED',
      tier: 'Tier1',
      kycExpiresAt: null,
      lastVerifiedAt: now,
      personal: { v: 1, alg: 'A256GCM', key: newUuid(), iv: '', ct: '' },
    };
    const metadata = {
      $correlationId: newUuid(),
      actor: { type: 'system', id: 'test' } as const,
      time: now,
      schemaVersion: 1,
    };
    const events = Array.from({ length: EVENTS_A_STREAM }, (_, index) => ({
      id: newUuid(),
      type: index === 0 ? 'IdentityIngested.v1' : 'IdentityUpdated.v1',
      data,
      metadata,
    }));
    const stream = `identity-${tenantId}_${identityId.slice(4)}`;
    return (await retryWhileUnavailable(() => store.append(stream, events, 'no_stream', { budgetMs: 30_000 })))
      .position;
  };
  try {
    let last = 0n;
    for (let done = 0; done < STREAMS; done += 10) {
      const positions = await Promise.all(Array.from({ length: 10 }, fill));
      last = positions.reduce((one, other) => (other > one ? other : one), last);
    }
    return last;
  } finally {
    await store.close();
  }
};

type Outcome = 'found' | 'not_found' | number;

/** Asks one instance again and again, and remembers what it said of whom. */
class Asker {
  readonly faults: string[] = [];
  readonly answered = { found: 0, notFound: 0, unavailable: 0 };
  private readonly asking = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    private readonly http: Http,
    private readonly tenant: Tenant,
    /** Indexes of people whose deletion has been answered. */
    private readonly deleted: ReadonlySet<number>,
    /** Of people whose deletion has been asked for. */
    private readonly going: ReadonlySet<number>,
  ) {
    this.running = Promise.all(Array.from({ length: 3 }, (_, lane) => this.ask(lane))).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.asking.abort();
    await this.running;
  }

  private async ask(lane: number): Promise<void> {
    for (let turn = lane; !this.asking.signal.aborted; turn += 1) {
      const index = turn % PEOPLE;
      const wasDeleted = this.deleted.has(index);
      const outcome = await this.check(index);
      if (outcome === undefined) await sleep(50);
      else this.judge(outcome, index, wasDeleted);
      await sleep(10);
    }
  }

  private async check(index: number): Promise<Outcome | undefined> {
    const call = { path: '/api/v1/check-eligibility', apiKey: this.tenant.apiKey, body: enquiry(person(index)) };
    const answer = await this.http.send(call).catch(() => undefined);
    if (answer === undefined) return undefined;
    if (answer.status !== 200) return answer.status;
    return answer.json['found'] === true ? 'found' : 'not_found';
  }

  private judge(outcome: Outcome, index: number, wasDeleted: boolean): void {
    if (outcome === 503) this.answered.unavailable += 1;
    else if (outcome === 'found') this.answered.found += 1;
    else if (outcome === 'not_found') this.answered.notFound += 1;
    else this.faults.push(`person ${index}: ${outcome}`);
    if (outcome === 'found' && wasDeleted) this.faults.push(`person ${index} was found after the deletion`);
    if (outcome === 'not_found' && !this.going.has(index)) this.faults.push(`person ${index} was not found`);
  }
}

describe('an upgrade that renames a column of the eligibility index, on 20,000 events and under load', () => {
  let deployment: Deployment;
  let tenant: Tenant;
  let other: OtherVersion;
  let newer: TestProcess | undefined;
  const askers: Asker[] = [];
  let newerHttp: Http;
  const deleted = new Set<number>();
  const going = new Set<number>();

  beforeAll(async () => {
    other = withRenamedColumn('eligibility', 'last_verified_at', 'verified_at');
    deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS });
    tenant = await deployment.operator.tenant({ credits: CREDITS });
    const people = Array.from({ length: PEOPLE }, (_, index) => person(index));
    await ingestAll(deployment.http, tenant, people);
    const last = await fillLog(deployment.eventStore.connectionString);
    const session = await ProjectionSession.open(deployment.databaseUrl);
    const position = async () => (await readCheckpoint(session, 'eligibility'))?.position ?? 0n;
    await eventually('the index to have read them', async () => (await position()) >= last, 150_000);
    await session.close();
  }, 300_000);

  afterAll(async () => {
    await Promise.all(askers.map((asker) => asker.stop()));
    newerHttp?.close();
    await newer?.stop();
    await deployment.stop();
    other.remove();
  }, 60_000);

  const readiness = async (http: Http): Promise<number | undefined> =>
    (await http.send({ path: '/health/ready' }).catch(() => undefined))?.status;

  const remove = async (http: Http, index: number): Promise<void> => {
    going.add(index);
    const { email, phone_number: phone } = enquiry(person(index));
    const query = `?email=${encodeURIComponent(email)}&phone_number=${encodeURIComponent(phone)}`;
    const known = await http.expect(200, { path: `/api/v1/identities${query}`, apiKey: tenant.apiKey });
    const [identity] = known.json['identities'] as readonly { readonly identity_id: string }[];
    const path = `/api/v1/identity/${identity?.identity_id}`;
    await http.expect(202, { method: 'DELETE', path, apiKey: tenant.apiKey });
    deleted.add(index);
  };

  it('answers no 500, finds nobody wrongly and charges for no 503', async () => {
    const port = await ownPort();
    newerHttp = new Http(`http://127.0.0.1:${port}`, 64);
    const ask = (http: Http): Asker => {
      const asker = new Asker(http, tenant, deleted, going);
      askers.push(asker);
      return asker;
    };
    const older = ask(deployment.http);
    // As another rebuild does, so that the newer rows do not come before they are asked for, however quick the machine.
    const rebuilding = await ProjectionSession.open(deployment.databaseUrl);
    expect(await rebuilding.tryLock('projection.eligibility.rebuild')).toBe(true);
    newer = spawnService({ ...deployment.env, PORT: String(port), DATA_DIR: newDataDir() }, other.program);
    await eventually('the newer instance to listen', () => readiness(newerHttp), 90_000);
    const younger = ask(newerHttp);

    // While the rows are made anew.
    expect(await readiness(newerHttp)).toBe(503);
    expect(await readiness(deployment.http)).toBe(200);
    for (let index = 0; index < DELETED; index += 2) await remove(deployment.http, index);
    expect(await readiness(newerHttp)).toBe(503);
    await eventually('a 503 of the newer instance', () => younger.answered.unavailable > 0);
    expect(younger.answered).toMatchObject({ found: 0, notFound: 0 });
    expect(older.answered).toMatchObject({ unavailable: 0 });

    // The rebuild, the swap, and after it.
    await rebuilding.close();
    await eventually('the newer instance', async () => (await readiness(newerHttp)) === 200, 240_000);
    await eventually('the older one to yield', async () => (await readiness(deployment.http)) === 503, 20_000);
    for (let index = 1; index < DELETED; index += 2) await remove(newerHttp, index);
    const before = { ...older.answered };
    await sleep(500);
    await Promise.all([older.stop(), younger.stop()]);

    expect([...older.faults, ...younger.faults]).toEqual([]);
    expect(older.answered.unavailable).toBeGreaterThan(before.unavailable);
    expect(older.answered).toMatchObject({ found: before.found, notFound: before.notFound });
    expect(younger.answered.found).toBeGreaterThan(0);
    const answers = [older, younger].map(({ answered }) => answered.found + answered.notFound);
    const charged = answers.reduce((sum, count) => sum + count, 0);
    expect(await balanceOf(newerHttp, tenant)).toBe(CREDITS - charged);
  }, 420_000);
});
