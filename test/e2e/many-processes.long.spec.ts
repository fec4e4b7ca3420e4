import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, freshAddress, Http } from '../support/load/http.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

/** `PROCESSES=8 node scripts/jest.mjs test/e2e/many-processes.long.spec.ts` prints the figures of docs/scale.md, too. */
const PROCESSES = Number(process.env['PROCESSES'] ?? '4');
const ACCOUNTS = 8;
/** Of each account; more is asked for than it can pay. */
const CREDITS = 300;
const CALLS = 360;
/** Calls that each account has under way at once. */
const AT_ONCE = 6;

let deployment: Deployment;
let https: readonly Http[];
let holder: Tenant;

const PEOPLE: readonly Person[] = Array.from({ length: 20 }, (_, number) => person(86_000 + number));

beforeAll(async () => {
  deployment = await Deployment.start({ instances: PROCESSES, env: LONG_STORE_BUDGET_MS });
  https = deployment.services.map(({ baseUrl }) => new Http(baseUrl, 64, ''));
  holder = await deployment.operator.tenant();
  await ingestAll(deployment.http, holder, [...PEOPLE]);
}, 240_000);

afterAll(async () => {
  for (const http of https) http.close();
  await deployment.stop();
});

/** The process that takes a call of an account, by the numbers of both. */
type Route = (account: number, call: number) => number;

/** The calls of one account. Returns statuses, and the milliseconds until its credits were spent. */
const spend = async (
  { apiKey }: Tenant,
  account: number,
  route: Route,
): Promise<{ readonly statuses: readonly number[]; readonly took: number }> => {
  const statuses: number[] = [];
  let sent = 0;
  let taken = Number.NaN;
  const began = performance.now();
  const line = async (): Promise<void> => {
    while (sent < CALLS) {
      const number = (sent += 1);
      const body = enquiry(PEOPLE[number % PEOPLE.length] as Person);
      const http = https[route(account, number) % https.length] as Http;
      const answer: Answer = await http.send({ path: '/api/v1/check-eligibility', apiKey, body });
      statuses.push(answer.status);
      if (statuses.length === CREDITS) taken = performance.now() - began;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return { statuses, took: taken };
};

it.each<[string, Route]>([
  ['each call to another process than the one before', (account, call) => account + call],
  ['all calls of an account to one process', (account) => account],
])(
  'of several processes, %s: nobody overspends, no charge is lost, none keeps others waiting',
  async (how, route) => {
    const tenants = await Promise.all(
      Array.from({ length: ACCOUNTS }, () => deployment.operator.tenant({ credits: CREDITS })),
    );
    const began = performance.now();
    const spent = await Promise.all(tenants.map((tenant, account) => spend(tenant, account, route)));
    const seconds = (performance.now() - began) / 1_000;
    for (const [index, { statuses }] of spent.entries()) {
      const tenant = tenants[index] as Tenant;
      const paid = statuses.filter((status) => status === 200).length;
      expect([paid, statuses.filter((status) => status === 402).length]).toEqual([CREDITS, CALLS - CREDITS]);
      expect(await balanceOf(deployment.http, tenant)).toBe(0);
      const events = await deployment.log.stream(`credits-${tenant.tenantId}`);
      expect(events.filter(({ type }) => type === 'OperationCharged.v1')).toHaveLength(CREDITS);
    }
    const times = spent.map(({ took }) => took).sort((one, other) => one - other);
    const [fastest = 0, slowest = 0] = [times[0], times.at(-1)];
    // Equal shares of equal work end together; one account that starves the others would end long before them.
    expect(slowest / fastest).toBeLessThan(3);
    if (process.env['PROCESSES'] !== undefined)
      console.log(
        `${PROCESSES} processes, ${how}: ${Math.round((ACCOUNTS * CALLS) / seconds)}/s, slowest ${(slowest / fastest).toFixed(2)} of the fastest`,
      );
  },
  240_000,
);

it('of several processes that make the same documents, each report that is completed has its file', async () => {
  const REPORTS = 40;
  const { apiKey } = await deployment.operator.tenant({ credits: 5 * REPORTS });
  const today = new Date().toISOString().slice(0, 10);
  const asked = Array.from({ length: REPORTS }, (_, number) => {
    const body = { start_date: today, end_date: today, format: ['json', 'csv', 'pdf'][number % 3] };
    return (https[number % https.length] as Http).expect(202, { path: '/api/v1/compliance/report', apiKey, body });
  });
  const ids = (await Promise.all(asked)).map(({ json }) => String(json['report_id']));
  for (const id of ids) {
    const path = `/api/v1/compliance/report/${id}`;
    const report = await eventually(`report ${id}`, async () => {
      const { json } = await deployment.http.expect(200, { path, apiKey });
      return json['status'] === 'completed' && json;
    });
    const { pathname, search } = new URL(String(report['download_url']));
    expect((await deployment.http.send({ path: `${pathname}${search}`, from: freshAddress() })).status).toBe(200);
  }
}, 240_000);
