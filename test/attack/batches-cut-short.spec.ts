import { randomUUID } from 'node:crypto';
import { SharedTarget } from '../support/faults/targets.js';
import { type Answer } from '../support/load/http.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { eventually, eventuallyNone } from '../support/stack.js';

const CREDITS = 1_000;
const QUERIES = Array.from({ length: 100 }, (_, number) => ({
  full_name: `Nobody Atall${'abcdefghij'[number % 10]} ${number}`,
}));
/** Charges that the log has when the store goes. */
const CHARGED_BEFORE = 10;
/** By then every reversal that is owed is in the log: the waiting times are a twentieth. */
const REVERSED_WITHIN = 6_000;

let target: SharedTarget;

beforeAll(async () => {
  target = await SharedTarget.start();
}, 120_000);
afterAll(() => target.stop(), 60_000);

interface Result {
  readonly result?: { readonly decision_id: string };
  readonly error?: { readonly error_code: string };
}

const resultsOf = ({ json }: Answer): readonly Result[] => (json['results'] ?? []) as readonly Result[];
const answeredOf = (answer: Answer): readonly string[] =>
  resultsOf(answer).flatMap(({ result }) => (result === undefined ? [] : [result.decision_id]));

const ask = (tenant: Tenant, key?: string): Promise<Answer> => {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const path = '/api/v1/compliance/sanctions/batch';
  return target.deployment.http.send({ path, apiKey: tenant.apiKey, body: { queries: QUERIES }, headers });
};

interface Ledger {
  readonly charged: readonly string[];
  readonly reversed: readonly string[];
  readonly ids: readonly string[];
}

const ledgerOf = async ({ tenantId }: Tenant): Promise<Ledger> => {
  const log = target.openLog();
  try {
    const events = await log.credits(tenantId);
    const charges = (type: string) =>
      events.filter((event) => event.type === type).map(({ data }) => (data as { chargeId: string }).chargeId);
    return {
      charged: charges('OperationCharged.v1'),
      reversed: charges('ChargeReversed.v1'),
      ids: events.map(({ id }) => id),
    };
  } finally {
    await log.close();
  }
};

/** Asks, and takes the store away when some queries are charged. */
const askAndCut = async (tenant: Tenant, key?: string): Promise<{ readonly answer: Promise<Answer | undefined> }> => {
  const answer = ask(tenant, key).catch(() => undefined);
  await eventually('some charges', async () => (await ledgerOf(tenant)).charged.length >= CHARGED_BEFORE);
  await target.killEventStore();
  return { answer };
};

const standingOf = ({ charged, reversed }: Ledger): readonly string[] => charged.filter((id) => !reversed.includes(id));

/** Charges that stand without an answer, answers whose charge does not stand, and answers whose decision cannot be read. */
const partings = async (tenant: Tenant, decisions: readonly string[]): Promise<readonly string[]> => {
  const standing = standingOf(await ledgerOf(tenant));
  const unread = await Promise.all(
    decisions.map(async (id) => {
      const path = `/api/v1/compliance/decisions/${id}`;
      return (await target.deployment.http.send({ path, apiKey: tenant.apiKey, method: 'GET' })).status === 200
        ? []
        : [id];
    }),
  );
  return [
    ...standing.filter((id) => !decisions.includes(id)),
    ...decisions.filter((id) => !standing.includes(id)),
    ...unread.flat(),
  ];
};

it('charges a batch that meets an outage for the checks that it answers, and for no other', async () => {
  const tenant = await target.operator.tenant({ credits: CREDITS });
  const { answer } = await askAndCut(tenant);
  const given = await answer;
  await target.startEventStore();
  await target.untilReady();
  expect(given?.status).toBe(200);
  const answered = answeredOf(given as Answer);
  expect(answered.length).toBeGreaterThanOrEqual(CHARGED_BEFORE);
  expect(resultsOf(given as Answer).at(-1)?.error?.error_code).toBe('UNAVAILABLE');
  expect(await eventuallyNone(() => partings(tenant, answered), REVERSED_WITHIN)).toEqual([]);
  expect(await balanceOf(target.deployment.http, tenant)).toBe(CREDITS - 2 * answered.length);
}, 120_000);

it('answers a repeat after a crash what was decided, charged once, and gives none of it back', async () => {
  const tenant = await target.operator.tenant({ credits: CREDITS });
  const key = randomUUID();
  await askAndCut(tenant, key);
  await target.deployment.instance(0).service.kill9();
  await target.startEventStore();
  await target.deployment.restart(0);
  await target.untilReady();
  const before = standingOf(await ledgerOf(tenant));
  const whole = await eventually('an answer', async () => {
    const answer = await ask(tenant, key);
    return answer.status === 200 && answeredOf(answer).length === QUERIES.length ? answer : undefined;
  });
  const decisions = answeredOf(whole);
  expect(decisions.filter((id) => before.includes(id)).length).toBeGreaterThanOrEqual(CHARGED_BEFORE - 1);
  expect(await eventuallyNone(() => partings(tenant, decisions), REVERSED_WITHIN)).toEqual([]);
  const { ids } = await ledgerOf(tenant);
  expect(new Set(ids).size).toBe(ids.length);
  const again = await ask(tenant, key);
  expect([again.text, again.header('x-credits-charged'), again.header('idempotency-replayed')]).toEqual([
    whole.text,
    '0',
    'true',
  ]);
  expect(await balanceOf(target.deployment.http, tenant)).toBe(CREDITS - 2 * QUERIES.length);
}, 120_000);
