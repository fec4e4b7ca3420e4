import { toUSVString } from 'node:util';
import fc from 'fast-check';
import { expectConventions } from '../support/checks/conventions.js';
import { endsOf, openOf, stated } from '../support/checks/statement.js';
import { type Endpoint, ENDPOINTS, goodCall } from '../support/endpoints/endpoints.js';
import { type World, worldOf } from '../support/endpoints/world.js';
import { issuerTokenFor } from '../support/credentials.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Call, freshAddress } from '../support/load/http.js';
import { balanceOf, type Tenant, tokenFor } from '../support/load/tenants.js';
import { soak } from '../support/soak.js';
import { eventually } from '../support/stack.js';

/** In all, shared by the endpoints, and as many queries. */
const BODIES = soak(2_000, 10_000);
const CREDITS = 1_000_000;
/** Sent at once. */
const GROUP = 50;
const QUERY_GROUP = 20;

let deployment: Deployment;
let world: World;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await Deployment.start({
    env: { ...LONG_STORE_BUDGET_MS, LOG_LEVEL: 'error', ISSUANCE_POLICY: 'open' },
  });
  world = await worldOf(deployment);
  tenant = await world.newTenant(CREDITS);
}, 180_000);

afterAll(() => deployment.stop());

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 600 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    '2026-02-30',
    'Tier1',
    'APPROVED',
    '+12025550123',
    'a@b.example',
  ),
);

const anyValue = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -0, 1e308, Number.MAX_SAFE_INTEGER + 1, [], {}, true, null) },
);

/** The right body with some members spoilt, left out or added: what comes close gets furthest. */
const nearly = (body: Readonly<Record<string, unknown>>): fc.Arbitrary<string> =>
  fc
    .record({
      spoilt: fc.dictionary(fc.constantFrom(...Object.keys(body)), anyValue, { maxKeys: 3 }),
      without: fc.subarray(Object.keys(body), { maxLength: 1 }),
      more: fc.dictionary(anyText, anyValue, { maxKeys: 2 }),
    })
    .map(({ spoilt, without, more }) => {
      const entries = Object.entries({ ...body, ...spoilt, ...more }).filter(([name]) => !without.includes(name));
      return JSON.stringify(Object.fromEntries(entries));
    });

const garbled = (body: Readonly<Record<string, unknown>>): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(), anyText).map(([at, text]) => {
    const whole = JSON.stringify(body);
    const cut = at % whole.length;
    return whole.slice(0, cut) + text + whole.slice(cut + 1);
  });

const anyBody = (body: Readonly<Record<string, unknown>>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: nearly(body) },
    { weight: 2, arbitrary: garbled(body) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText },
  );

const EXPECTED = new Set([200, 201, 202, 400, 404, 409, 422]);

interface Tally {
  sent: number;
  charged: number;
  credits: number;
}

const sendAll = async (endpoint: Endpoint, calls: readonly Call[], tally: Tally): Promise<void> => {
  const { http } = deployment;
  const send = endpoint.access === 'role' ? http.sendAsOperator.bind(http) : http.send.bind(http);
  const answers = await Promise.all(calls.map(send));
  answers.forEach((answer: Answer, index) => {
    if (!EXPECTED.has(answer.status)) {
      throw new Error(`${endpoint.path}: ${answer.status} ${answer.text} for ${String(calls[index]?.raw)}`);
    }
    expectConventions(answer);
    tally.sent += 1;
    const credits = Number(answer.header('x-credits-charged') ?? 0);
    tally.credits += credits;
    if (credits > 0) tally.charged += 1;
  });
};

/** Groups for each of these endpoints. */
const shareOf = (endpoints: readonly Endpoint[], group: number): number => Math.ceil(BODIES / endpoints.length / group);

const targets = ENDPOINTS.filter(
  ({ body, path }) => body !== undefined && !/suspend|reinstate|trust$|\{key_id\}|\/keys|\/test/.test(path),
);

/** The development provider names an operator after the roles as they are ordered: each path has its own. */
const ORDERS = [
  ['admin', 'security'],
  ['security', 'admin'],
  ['admin', 'security', 'support'],
  ['admin', 'support', 'security'],
  ['security', 'admin', 'support'],
  ['security', 'support', 'admin'],
  ['support', 'admin', 'security'],
  ['support', 'security', 'admin'],
];

/** So that a quick machine need not wait for the next minute between two paths. */
const newOperators = (): Promise<string[]> => Promise.all(ORDERS.map((roles) => tokenFor(deployment.http, { roles })));

it(`${BODIES} random bodies give no 500 and neither lose nor take a credit`, async () => {
  const tally: Tally = { sent: 0, charged: 0, credits: 0 };
  const [share, seed] = [shareOf(targets, GROUP), 1];
  const operators = await newOperators();
  const counted = { ...world.owner, ...tenant, bearer: await issuerTokenFor(deployment.http, tenant) };
  for (const endpoint of targets) {
    const from = endpoint.access === 'public' ? freshAddress : () => undefined;
    const as = endpoint.access === 'role' ? { token: operators.pop() } : {};
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyBody(endpoint.body ?? {}), { minLength: GROUP, maxLength: GROUP }),
        async (bodies) => {
          // What a parameter names may itself cost credits: it is made by an account that nobody counts.
          const isCounted = endpoint.parameters === undefined && endpoint.bearer === undefined;
          const owner = isCounted ? counted : world.owner;
          const call = await goodCall(endpoint, world, owner);
          const calls = bodies.map((raw) => ({ ...call, ...as, raw, from: from() }));
          await sendAll(endpoint, calls, tally);
        },
      ),
      { numRuns: share, seed, endOnFailure: true },
    );
  }
  expect(tally.sent).toBeGreaterThanOrEqual(BODIES);
  const statement = await eventually('the end of every deduction', async () => {
    const now = stated(await deployment.log.credits(tenant.tenantId));
    return openOf(now).length === 0 && now;
  });
  expect(endsOf(statement)).toEqual({ settled: tally.charged });
  expect(statement.balance).toBe(statement.given - tally.credits);
  expect(await balanceOf(deployment.http, tenant)).toBe(statement.balance);
  expect(tally.charged).toBeGreaterThan(0);
}, 400_000);

it('random queries, paths and headers give no 500 either', async () => {
  const tally: Tally = { sent: 0, charged: 0, credits: 0 };
  const gets = ENDPOINTS.filter(({ method, access }) => method === 'GET' && (access === 'key' || access === 'role'));
  const share = shareOf(gets, QUERY_GROUP);
  for (const endpoint of gets) {
    const call = await goodCall(endpoint, world);
    const query = fc.dictionary(
      fc.oneof(fc.constantFrom('limit', 'offset', 'action', 'start_date', 'end_date'), anyText),
      anyText,
      {
        maxKeys: 4,
      },
    );
    const id = anyText.map((text) => toUSVString(text).slice(0, 90));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(query, id), { minLength: QUERY_GROUP, maxLength: QUERY_GROUP }), (all) =>
        sendAll(
          endpoint,
          all.map(([parameters, text]) => {
            const path = endpoint.path.replace(/\{\w+\}/g, () => encodeURIComponent(text) || 'x');
            const wellFormed = Object.entries(parameters).map(([name, value]): [string, string] => [
              toUSVString(name),
              toUSVString(value),
            ]);
            // A stream ends after the seconds of its own query.
            const own = [...wellFormed, ...Object.entries(endpoint.query ?? {})];
            return { ...call, path: `${path}?${new URLSearchParams(own).toString()}` };
          }),
          tally,
        ),
      ),
      { numRuns: share, seed: 2, endOnFailure: true },
    );
  }
  expect(tally.sent).toBe(gets.length * share * QUERY_GROUP);
}, 180_000);
