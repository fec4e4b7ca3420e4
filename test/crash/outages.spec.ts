import { type Evidence, violations } from '../support/checks/invariants.js';
import { openOf, stated } from '../support/checks/statement.js';
import { SharedTarget } from '../support/faults/targets.js';
import { type Http } from '../support/load/http.js';
import { Pulse } from '../support/load/pulse.js';
import { type Attempt, type Kind } from '../support/load/journal.js';
import { person } from '../support/load/people.js';
import { Random } from '../support/load/random.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { Traffic } from '../support/load/traffic.js';
import { eventually, redisInstalled, sleep } from '../support/stack.js';

const OUTAGE = 10_000;
/** A minute, at the same scale as the waiting times: longer than a foreign deduction may stay open. */
const ASLEEP = 8_000;
const KNOWN = 20;
const CREDITS = 500_000;
const CHECKS: readonly Kind[] = ['check'];

let target: SharedTarget;

beforeAll(async () => {
  // Deadlines lie well beyond a store's budget, as they do unscaled: the store's silence is what ends a request.
  target = await SharedTarget.start({
    TIMING_OPERATION_DEADLINE_MS: '5000',
    TIMING_ANSWER_DEADLINE_MS: '6000',
    TIMING_FOREIGN_DEDUCTION_MS: '6500',
  });
}, 60_000);

afterAll(() => target.stop(), 60_000);

const trafficOf = async (random: Random, mix?: readonly Kind[]): Promise<{ tenant: Tenant; traffic: Traffic }> => {
  const tenant = await target.operator.tenant({ credits: CREDITS });
  await ingestAll(
    target.https[0] as Http,
    tenant,
    Array.from({ length: KNOWN }, (_, index) => person(index)),
  );
  const traffic = new Traffic({
    https: target.https,
    tenant,
    operator: target.operator,
    random,
    callers: 8,
    known: KNOWN,
    newcomers: 2_000,
    ...(mix === undefined ? {} : { mix }),
  });
  return { tenant, traffic };
};

const evidenceOf = async (tenant: Tenant, traffic: Traffic): Promise<Evidence> => {
  const log = target.openLog();
  const statement = await eventually(
    'the end of every deduction',
    async () => {
      const now = stated(await log.credits(tenant.tenantId));
      return openOf(now).length === 0 && now;
    },
    20_000,
  );
  const evidence = {
    errands: traffic.errands,
    statement,
    audit: await log.audit(tenant.tenantId),
    initial: CREDITS,
    acceptances: (await log.acceptancesOf(tenant.tenantId)).slice(KNOWN),
    balance: await balanceOf(target.https[0] as Http, tenant),
  };
  await log.close();
  return evidence;
};

const between = (attempts: readonly Attempt[], from: number, to: number): Attempt[] =>
  attempts.filter(({ at, took }) => at >= from && at + took <= to);

const slowest = (attempts: readonly Attempt[]): number => Math.max(...attempts.map(({ took }) => took));

interface Outage {
  readonly what: string;
  begin(): void | Promise<void>;
  end(): void | Promise<void>;
}

const outages: readonly Outage[] = [
  {
    what: 'the event node is stopped (SIGSTOP)',
    begin: () => target.store.pause(),
    end: () => target.store.resume(),
  },
  {
    what: 'the event node is killed (SIGKILL)',
    begin: () => target.killEventStore(),
    end: () => target.startEventStore(),
  },
  {
    what: 'Postgres is stopped (SIGSTOP)',
    begin: () => target.postgres.pause(),
    end: () => target.postgres.resume(),
  },
  {
    what: 'Postgres is killed (SIGKILL)',
    begin: () => target.postgres.kill9('all'),
    end: () => target.postgres.startAgain(),
  },
];

describe.each(outages.map((outage) => [outage.what, outage] as const))(
  'while %s for ten seconds under load',
  (_what, outage) => {
    let tenant: Tenant;
    let traffic: Traffic;
    let began: number;
    let ended: number;
    let withheld: number;
    /** A key whose first request died with the outage is in progress until that request is known to be dead. */
    const afterOutage = () => traffic.attempts.filter(({ at, status }) => at > ended && status !== 409).slice(-50);

    beforeAll(async () => {
      ({ tenant, traffic } = await trafficOf(new Random(1), CHECKS));
      await sleep(1_000);
      const pulse = new Pulse(target.https);
      began = performance.now();
      await outage.begin();
      await sleep(OUTAGE);
      ended = performance.now();
      await outage.end();
      await target.untilReady();
      await eventually('answers as before', () => afterOutage().filter(({ status }) => status === 200).length > 45);
      withheld = await pulse.stop();
      await traffic.stop();
    }, 90_000);

    it('every request is answered 503 within 2 s', () => {
      const during = between(traffic.attempts, began, ended);
      const failed = during.filter(({ status }) => status !== 200);
      expect(failed.length).toBeGreaterThan(0);
      // A key whose first request is still waiting says so.
      const known = ['503 UNAVAILABLE', '409 IDEMPOTENCY_IN_PROGRESS'];
      expect(
        failed.map(({ status, code }) => `${status} ${code}`).filter((failure) => !known.includes(failure)),
      ).toEqual([]);
      expect(slowest(during)).toBeLessThan(2_000 + withheld);
      expect(between(traffic.attempts, began + 3_000, ended).filter(({ status }) => status === 200)).toEqual([]);
    });

    it('it recovers by itself', () => {
      expect(afterOutage().filter(({ status }) => status === 200).length).toBeGreaterThan(45);
    });

    it('nothing that was not answered stays charged, and every other invariant holds', async () => {
      expect(violations(await evidenceOf(tenant, traffic))).toEqual([]);
    }, 30_000);
  },
);

describe('an instance of two that is stopped for long and woken', () => {
  it('does no harm', async () => {
    const { tenant, traffic } = await trafficOf(new Random(2));
    await sleep(1_000);
    target.deployment.instance(1).service.pause();
    await sleep(ASLEEP);
    target.deployment.instance(1).service.resume();
    await sleep(2_000);
    await traffic.stop();
    await target.untilReady();
    expect(violations(await evidenceOf(tenant, traffic))).toEqual([]);
  }, 60_000);
});

(redisInstalled ? describe : describe.skip)('while Redis is away (needs redis-server)', () => {
  const readiness = async ({ baseUrl }: Http): Promise<unknown> => {
    const answer = await fetch(`${baseUrl}/health/ready`);
    return [answer.status, ((await answer.json()) as { status: string }).status];
  };

  it.each([
    ['killed', () => target.killRedis()],
    ['stopped', () => target.pauseRedis()],
  ] as const)(
    '%s: everything is served, ready says degraded and later up again',
    async (how, strike) => {
      const { tenant, traffic } = await trafficOf(new Random(3));
      await sleep(500);
      await strike();
      const struck = performance.now();
      const pulse = new Pulse(target.https);
      for (const http of target.https)
        await eventually('what the readiness says', async () => (await readiness(http))?.toString() === '200,degraded');
      await sleep(1_000);
      if (how === 'killed') await target.startRedis();
      else target.resumeRedis();
      const back = performance.now();
      await eventually(
        'readiness without reserve',
        async () => (await readiness(target.https[0] as Http))?.toString() === '200,up',
      );
      const withheld = await pulse.stop();
      await traffic.stop();
      const during = between(traffic.attempts, struck, back);
      expect(during.length).toBeGreaterThan(0);
      expect(during.filter(({ status }) => status === undefined || status >= 400)).toEqual([]);
      expect(slowest(during)).toBeLessThan(2_000 + withheld);
      expect(violations(await evidenceOf(tenant, traffic))).toEqual([]);
    },
    90_000,
  );
});
