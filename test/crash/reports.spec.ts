import { randomUUID } from 'node:crypto';
import { openOf, stated } from '../support/checks/statement.js';
import { EmbeddedTarget, SharedTarget, type Target } from '../support/faults/targets.js';
import { drawTrials, seed, Targets } from '../support/faults/trials.js';
import { type Answer } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { eventually, sleep } from '../support/stack.js';

const CREDITS = 500;
const REPORTS = 8;
const COST = 5;
const FORMATS = ['json', 'csv', 'pdf'];
/**
 * Milliseconds until everything is made and every deduction has its end, on a machine that does other things. An attempt
 * that was killed counts as dead after a minute.
 */
const ENDED_WITHIN = 120_000;

const targets = new Targets((name) => (name === 'embedded' ? EmbeddedTarget.start() : SharedTarget.start()));

/** Undefined where nobody answered. */
const sent = (target: Target, { apiKey }: Tenant, number: number, call: object): Promise<Answer | undefined> =>
  Promise.resolve(target.https[number % target.https.length])
    .then((http) => http?.send({ path: '/api/v1/compliance/report', apiKey, ...call }))
    .catch(() => undefined);

const until = (target: Target, tenant: Tenant, status: number, number: number, call: object): Promise<Answer> =>
  eventually(
    `a ${status}`,
    async () => {
      const answer = await sent(target, tenant, number, call);
      return answer?.status === status && answer;
    },
    ENDED_WITHIN,
  );

const requests = () => {
  const day = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
  const period = { start_date: day(Date.now() - 86_400_000), end_date: day(Date.now() + 86_400_000) };
  return Array.from({ length: REPORTS }, (_, number) => ({
    body: { ...period, format: FORMATS[number % FORMATS.length] },
    headers: { 'idempotency-key': randomUUID() },
  }));
};

const reportsOf = async (target: Target, tenant: Tenant): Promise<Record<string, unknown>[]> => {
  const listed = { path: '/api/v1/compliance/reports?limit=100' };
  return (await until(target, tenant, 200, 0, listed)).json['reports'] as Record<string, unknown>[];
};

const balanceInLog = async (target: Target, { tenantId }: Tenant): Promise<number> => {
  const log = target.openLog();
  try {
    return await eventually(
      'the end of every deduction',
      async () => {
        const statement = stated(await log.credits(tenantId));
        return openOf(statement).length === 0 && statement.balance;
      },
      ENDED_WITHIN,
    );
  } finally {
    await log.close();
  }
};

describe(`kill -9 while reports are made, seed ${seed}`, () => {
  afterAll(() => targets.stop(), 60_000);

  it.each(drawTrials())(
    'trial $number: $part of $target after $after ms: a report is made and charged once, or failed and given back',
    (trial) =>
      targets.during(trial, async (target) => {
        const tenant = await target.operator.tenant({ credits: CREDITS });
        await until(target, tenant, 200, 0, { path: '/api/v1/check-eligibility', body: enquiry(person(1)) });
        const before = await balanceInLog(target, tenant);
        const calls = requests();
        const answering = calls.map((call, number) => sent(target, tenant, number, call));
        await sleep(trial.after % 200);
        await target.strike(trial.part, trial.random);
        await Promise.all(answering);
        const answers = await Promise.all(calls.map((call, number) => until(target, tenant, 202, number, call)));
        const ids = answers.map(({ json }) => json['report_id']);
        expect(new Set(ids).size).toBe(REPORTS);

        const reports = await eventually(
          'the end of every report',
          async () => {
            const listed = await reportsOf(target, tenant);
            const ended = listed.every(({ status }) => status === 'completed' || status === 'failed');
            return listed.length === REPORTS && ended && listed;
          },
          ENDED_WITHIN,
        );
        expect(reports.map(({ report_id: id }) => id).sort()).toEqual([...ids].sort());
        const completed = reports.filter(({ status }) => status === 'completed').length;
        await eventually(
          'the charges of the completed reports alone',
          async () => (await balanceInLog(target, tenant)) === before - COST * completed,
          ENDED_WITHIN,
        );
        const [http] = target.https;
        if (http !== undefined) expect(await balanceOf(http, tenant)).toBe(before - COST * completed);
      }),
    480_000,
  );
});
