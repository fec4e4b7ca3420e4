import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { endsOf, stated, type End, type Statement } from '../support/checks/statement.js';
import { PostgresProxy } from '../support/faults/postgres-proxy.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Http } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { Random } from '../support/load/random.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

/** Two instances are harder to keep right than one, so they get the whole number. */
const ROUNDS = [
  { instances: 1, checks: 2_000, credits: 1_000 },
  { instances: 2, checks: 10_000, credits: 5_000 },
] as const;
/** Who sends 10,000 requests at once to a busy machine waits; here the count is asked for, not the time. */
const LONG_BUDGETS = {
  ...LONG_STORE_BUDGET_MS,
  TIMING_OPERATION_DEADLINE_MS: '120000',
  TIMING_ANSWER_DEADLINE_MS: '130000',
  TIMING_FOREIGN_DEDUCTION_MS: '140000',
};
const PEOPLE = Array.from({ length: 50 }, (_, index) => person(index));

/** So many checks at a time, in turn to each instance; the answers by status. */
const checkAll = async (
  https: readonly Http[],
  { apiKey }: Tenant,
  { checks, atOnce }: { readonly checks: number; readonly atOnce: number },
): Promise<Map<number, Answer[]>> => {
  const inTurn = pLimit(atOnce);
  const calls = Array.from({ length: checks }, (_, index) =>
    inTurn(() =>
      (https[index % https.length] as Http).send({
        path: '/api/v1/check-eligibility',
        apiKey,
        body: enquiry(person(index % (2 * PEOPLE.length))),
        headers: { 'x-request-id': randomUUID() },
        timeoutMs: 150_000,
      }),
    ),
  );
  const byStatus = new Map<number, Answer[]>();
  for (const answer of await Promise.all(calls)) {
    const alike = byStatus.get(answer.status) ?? [];
    alike.push(answer);
    byStatus.set(answer.status, alike);
  }
  return byStatus;
};

const counted = (byStatus: ReadonlyMap<number, readonly Answer[]>): Record<number, number> =>
  Object.fromEntries([...byStatus].map(([status, answers]) => [status, answers.length]));

/** What stays charged, once each charge that found no answer in time is reversed: within a minute. */
const settledStatement = (deployment: Deployment, { tenantId }: Tenant, served: number) =>
  eventually(
    'a charge for each answer, and none besides',
    async () => {
      const statement = stated(await deployment.log.credits(tenantId));
      return (endsOf(statement)['settled'] ?? 0) === served && statement;
    },
    90_000,
  );

const requestsThat = (end: End, { deductions }: Statement): Set<string> =>
  new Set([...deductions.values()].filter(({ ends }) => ends.join() === end).map(({ requestId }) => requestId));

describe.each(ROUNDS)(
  '$checks checks with $credits credits, on $instances instance(s)',
  ({ instances, checks, credits }) => {
    let deployment: Deployment;
    let tenant: Tenant;
    let answers: Map<number, Answer[]>;

    beforeAll(async () => {
      deployment = await Deployment.start({ instances, env: LONG_BUDGETS });
      tenant = await deployment.operator.tenant({ credits });
      await ingestAll(deployment.http, tenant, PEOPLE);
      answers = await checkAll(deployment.https, tenant, { checks, atOnce: checks });
    }, 240_000);

    afterAll(() => deployment.stop());

    it('serves exactly as many as were paid for and refuses the rest as depleted', () => {
      // A machine that is too busy to hear its stores in time says 503, and takes nothing for it.
      const { 200: served, 402: depleted = 0, 503: busy = 0, ...others } = counted(answers);
      expect([served, depleted + busy, others]).toEqual([credits, checks - credits, {}]);
      expect(depleted).toBeGreaterThan(0);
      expect(new Set(answers.get(402)?.map(({ code }) => code))).toEqual(new Set(['CREDITS_DEPLETED']));
    });

    it('finds whom the network holds, and nobody else', () => {
      const found = answers.get(200)?.filter((answer) => answer.json['found']) ?? [];
      expect(found.every((answer) => answer.json['tier'] === 'Tier2')).toBe(true);
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThan(credits);
    });

    it('leaves nothing, charges each answer once, and says what is left', async () => {
      expect(await Promise.all(deployment.https.map((http) => balanceOf(http, tenant)))).toEqual(
        deployment.https.map(() => 0),
      );
      const revisions = answers.get(200)?.map((answer) => answer.header('x-ledger-revision'));
      expect(new Set(revisions).size).toBe(credits);
      expect(answers.get(200)?.every((answer) => answer.header('x-credits-charged') === '1')).toBe(true);
      expect(answers.get(402)?.some((answer) => answer.header('x-credits-charged') === '1')).toBe(false);
    });

    it('holds a charge and an audit entry for each credit', async () => {
      const statement = await settledStatement(deployment, tenant, credits);
      expect(statement).toMatchObject({ given: credits, deducted: credits, refunded: 0, balance: 0, lowest: 0 });
      expect(endsOf(statement)).toEqual({ settled: credits });
      const requests = new Set(answers.get(200)?.map((answer) => answer.header('x-request-id')));
      expect(new Set([...statement.deductions.values()].map(({ requestId }) => requestId))).toEqual(requests);
      const entries = (await deployment.log.audit(tenant.tenantId)).filter(
        ({ data }) => data.action === 'eligibility_check',
      );
      expect(entries.length).toBe(credits);
      expect(new Set(entries.map(({ deductionId }) => deductionId))).toEqual(new Set(statement.deductions.keys()));
    }, 90_000);
  },
);

describe('checks while look-ups break and stall', () => {
  // More than the account can pay for. A slow machine still hears its event store in time with so few at once.
  const FAULTY = { checks: 1_000, atOnce: 50 };
  const FEW_CREDITS = 500;

  let proxy: PostgresProxy;
  let deployment: Deployment;
  let tenant: Tenant;
  let answers: Map<number, Answer[]>;

  beforeAll(async () => {
    deployment = await Deployment.start({
      instances: 2,
      reachPostgres: async (databaseUrl) => {
        const faults = { statement: /FROM attestations/, breaking: 15, stalling: 10, stallFor: 3_000 };
        proxy = await PostgresProxy.start({ databaseUrl, random: new Random(1), ...faults });
        return proxy.databaseUrl;
      },
    });
    tenant = await deployment.operator.tenant({ credits: FEW_CREDITS });
    answers = await checkAll(deployment.https, tenant, FAULTY);
  }, 240_000);

  afterAll(async () => {
    await deployment.stop();
    proxy.stop();
  });

  it('met faults of both kinds, and answered them with 503 or 504 within 2 s or so', () => {
    expect(proxy.counts.breaks).toBeGreaterThan(0);
    expect(proxy.counts.stalls).toBeGreaterThan(0);
    const statuses = [...answers.keys()];
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => ![200, 402, 503, 504].includes(status))).toEqual([]);
  });

  it('charges what it answered and keeps nothing else: a look-up that failed leaves nothing in the ledger', async () => {
    const served = answers.get(200)?.length ?? 0;
    const statement = await settledStatement(deployment, tenant, served);
    const { settled = 0, refunded = 0, ...others } = endsOf(statement);
    expect([settled, others]).toEqual([served, {}]);
    expect(refunded).toBeLessThan(FAULTY.checks - served);
    expect(statement.lowest).toBe(0);
    expect(statement.balance).toBe(FEW_CREDITS - served);
    expect(await balanceOf(deployment.http, tenant)).toBe(statement.balance);
  }, 120_000);

  it('charged exactly the requests that were answered, and reversed only some that were told 503 or 504', async () => {
    const statement = await settledStatement(deployment, tenant, answers.get(200)?.length ?? 0);
    const requestsOf = (...statuses: number[]) =>
      new Set(statuses.flatMap((status) => answers.get(status) ?? []).map((answer) => answer.header('x-request-id')));
    expect(requestsThat('settled', statement)).toEqual(requestsOf(200));
    // A machine that is too busy to hear its event store in time: the charge may have been written all the same.
    const unavailable = requestsOf(503, 504);
    expect([...requestsThat('refunded', statement)].filter((request) => !unavailable.has(request))).toEqual([]);
  }, 120_000);
});
