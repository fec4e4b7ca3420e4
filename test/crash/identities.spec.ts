import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';
import { isSettled, type LifecycleEvidence, lifecycleViolations, type Recorded } from '../support/checks/lifecycles.js';
import { rebuildDifferences } from '../support/checks/rebuilds.js';
import { EmbeddedTarget, SharedTarget, type Target } from '../support/faults/targets.js';
import { drawTrials, seed, Targets, type Trial } from '../support/faults/trials.js';
import { SCALED_ERASURE } from '../support/load/deployment.js';
import { type Http } from '../support/load/http.js';
import { IdentityTraffic } from '../support/load/identity-traffic.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually, sleep } from '../support/stack.js';

const CREDITS = 1_000_000;
/** Of people of one trial, who are nobody else's. */
const PEOPLE = 10_000;
const SETTLED_WITHIN = 30_000;

const targets = new Targets((name) =>
  name === 'embedded' ? EmbeddedTarget.start(SCALED_ERASURE) : SharedTarget.start(SCALED_ERASURE),
);

const strikeUnderLoad = async (
  target: Target,
  { number, after, part, random }: Trial,
): Promise<{ tenant: Tenant; traffic: IdentityTraffic }> => {
  const tenant = await target.operator.tenant({ credits: CREDITS });
  const newcomers = number * PEOPLE;
  const { https } = target;
  const traffic = new IdentityTraffic({ https, tenant, random: random.fork(), callers: 12, newcomers });
  // However slow the machine: the first lives have to end before a blow can hit an erasure, and some come after it.
  await traffic.until('DELETE 202', 15);
  await sleep(after);
  await target.strike(part, random);
  await traffic.until('DELETE 202', traffic.count('DELETE 202') + 5);
  await traffic.stop();
  return { tenant, traffic };
};

const keysIn = async (target: Target): Promise<{ present: Set<string>; destroyed: Set<string> }> => {
  const client = new pg.Client({ connectionString: (await target.stores()).databaseUrl });
  await client.connect();
  try {
    const idsOf = async (table: string): Promise<Set<string>> =>
      new Set((await client.query<{ id: string }>(`SELECT id FROM ${table}`)).rows.map(({ id }) => id));
    return { present: await idsOf('data_keys'), destroyed: await idsOf('destroyed_data_keys') };
  } finally {
    await client.end();
  }
};

/** Everything about the tenant's people, once nothing of it moves any more. */
const evidenceOf = async (target: Target, tenant: Tenant, traffic: IdentityTraffic): Promise<LifecycleEvidence> => {
  const log = target.openLog();
  const read = (): Promise<Recorded[]> => log.lifecyclesOf(tenant.tenantId);
  try {
    await eventually(
      'the end of every ingestion and erasure',
      async () => isSettled({ recorded: await read() }),
      SETTLED_WITHIN,
    ).catch(() => undefined);
    const audited = new Map((await log.audit(tenant.tenantId)).map(({ id, data }) => [id, data.action] as const));
    const { present, destroyed } = await keysIn(target);
    return {
      keyedIngestions: traffic.keyedIngestions,
      recorded: await read(),
      presentKeys: present,
      destroyedKeys: destroyed,
      audited,
    };
  } finally {
    await log.close();
  }
};

/** Every erased identity answers with a certificate that the published key verifies; ids of those that do not. */
const uncertified = async (http: Http, tenant: Tenant, { recorded }: LifecycleEvidence): Promise<string[]> => {
  const published = createRemoteJWKSet(new URL(`${http.baseUrl}/.well-known/jwks.json`));
  const wrong: string[] = [];
  for (const { event } of recorded) {
    if (event.type !== 'IdentityErased.v1') continue;
    const { identityId } = event.data;
    const path = `/api/v1/identity/${identityId}/erasure-certificate`;
    const answer = await http.expect(200, { path, apiKey: tenant.apiKey });
    const { payload } = await jwtVerify(answer.json['certificate'] as string, published);
    if (payload.sub !== identityId) wrong.push(identityId);
  }
  return wrong;
};

describe(`kill -9 under ingestion and deletion, seed ${seed}`, () => {
  afterAll(() => targets.stop(), 60_000);

  it.each(drawTrials())(
    'trial $number: $part of $target after $after ms: every ingestion ends once, what is erased stays erased',
    (trial) =>
      targets.during(trial, async (target) => {
        const { tenant, traffic } = await strikeUnderLoad(target, trial);
        const evidence = await evidenceOf(target, tenant, traffic);
        const happened = new Set(evidence.recorded.map(({ event }) => event.type));
        // A trial in which nothing was at stake proves nothing.
        expect([...happened]).toEqual(expect.arrayContaining(['IngestionFailed.v1', 'IdentityErased.v1']));
        expect(traffic.count('checks of deleted people')).toBeGreaterThan(0);
        expect(traffic.contradictions).toEqual([]);
        expect(lifecycleViolations(evidence)).toEqual([]);
        expect(await uncertified(target.https.at(-1) as Http, tenant, evidence)).toEqual([]);
        if (trial.verified) expect(await rebuildDifferences(await target.stores())).toEqual([]);
      }),
    150_000,
  );
});
