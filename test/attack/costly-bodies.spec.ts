import { DEEP, MANY_MEMBERS, membersText, oneText } from '../support/attack/bodies.js';
import { processorTimeOf } from '../support/attack/processor-time.js';
import { Deployment } from '../support/load/deployment.js';
import { type Call, freshAddress } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { signed } from '../support/payments/signature.js';

/** How much more a refused body may take than its bytes on a path that does not read them. */
const REFUSED_WITHIN = 6;
/** How much more a batch of many values may take than one of as many bytes in one text. */
const BATCH_WITHIN = 5;

let deployment: Deployment;
let tenant: Tenant;
/** Milliseconds of processor time that 0.94 MB take which nobody reads. */
let unread: number;

const send = (call: Call) => deployment.http.send(call);
const timeOf = (make: () => Call) => processorTimeOf(deployment, () => send(make()));

beforeAll(async () => {
  deployment = await Deployment.start({ env: { LOG_LEVEL: 'error' } });
  tenant = await deployment.operator.tenant({ credits: 1_000 });
  const withoutKey = () => ({ path: '/api/v1/check-eligibility', raw: MANY_MEMBERS, from: freshAddress() });
  for (let round = 0; round < 3; round += 1) unread = (await timeOf(withoutKey)).milliseconds;
}, 120_000);
afterAll(() => deployment.stop());

const NOBODY = 'idn_00000000000000000000000000000000';
const unsigned = (signature: string): Call => ({
  path: '/webhooks/payments',
  headers: { 'stripe-signature': signature },
});
const withKey = (path: string, method = 'POST'): Call => ({ method, path, apiKey: tenant.apiKey });

describe('a body of 110,000 members takes no more than its bytes, since it is not parsed', () => {
  it.each<[string, () => Call]>([
    ['to /webhooks/payments with an old signature', () => ({ ...unsigned('t=1,v1=00'), from: freshAddress() })],
    [
      'to /webhooks/payments with the signature of another body',
      () => ({ ...unsigned(signed('{}')), from: freshAddress() }),
    ],
    ['to /webhooks/payments without a signature', () => ({ path: '/webhooks/payments', from: freshAddress() })],
    ['to /dev/token without its secret', () => ({ path: '/dev/token', from: freshAddress() })],
    ['with a key, to a path that takes two fields', () => withKey('/api/v1/check-eligibility')],
    ['with a key, to one that takes a record', () => withKey('/api/v1/ingest')],
    ['with a key, to one that takes no body', () => withKey(`/api/v1/identity/${NOBODY}/restore`)],
    ['with a key, to one that deletes', () => withKey(`/api/v1/identity/${NOBODY}`, 'DELETE')],
    ["with an operator's token", () => ({ path: '/admin/accounts', token: deployment.operator.token })],
  ])('%s', async (_case, make) => {
    const taken = await timeOf(() => ({ ...make(), raw: MANY_MEMBERS }));
    expect(taken.statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    expect(taken.milliseconds / unread).toBeLessThan(REFUSED_WITHIN);
  });

  it('from an address that has used up its limit with such bodies', async () => {
    const call = { ...unsigned('t=1,v1=00'), from: freshAddress() };
    const statusOf = async (): Promise<number> => (await send({ ...call, raw: '{}' })).status;
    for (let status = 0; status !== 429; status = await statusOf());
    const taken = await timeOf(() => ({ ...call, raw: MANY_MEMBERS }));
    expect(taken.milliseconds / unread).toBeLessThan(REFUSED_WITHIN);
  });

  it('as the extra_data of a record', async () => {
    const record = JSON.stringify({ ...person(1), kyc_status: 'APPROVED', extra_data: null });
    const raw = record.replace('null', MANY_MEMBERS);
    const taken = await timeOf(() => ({ ...withKey('/api/v1/ingest'), raw }));
    expect(taken.milliseconds / unread).toBeLessThan(REFUSED_WITHIN);
  });
});

describe('a batch of a megabyte', () => {
  const batch = (records: string): string => `{"records":${records}}`;
  /** Of a batch with one text. */
  let plain: number;

  const batchTime = (raw: string) => timeOf(() => ({ ...withKey('/api/v1/ingest/batch'), raw }));
  beforeAll(async () => {
    plain = (await batchTime(batch(`[${oneText(MANY_MEMBERS)}]`))).milliseconds;
  });

  it.each([
    ['of one record with 110,000 members', batch(`[${MANY_MEMBERS}]`)],
    ['of 300,000 empty records', batch(`[${Array(300_000).fill('{}').join(',')}]`)],
    ['of 90,000 objects of their own form', batch(`[${membersText(90_000).replaceAll(',', '},{')}]`)],
    ['with 110,000 members beside its records', `{"records":[],${MANY_MEMBERS.slice(1)}`],
    ['of brackets within brackets', batch(`[${DEEP}]`)],
    ['of brackets that are never closed', batch('['.repeat(DEEP.length))],
    ['of 110,000 members, with a fault at its end', batch(`[${MANY_MEMBERS}],`)],
  ])('%s takes not much more than one text of as many bytes', async (_case, raw) => {
    const taken = await batchTime(raw);
    expect(taken.statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    expect(taken.milliseconds / plain).toBeLessThan(BATCH_WITHIN);
  });

  it('of a thousand whole records of twenty members is taken', async () => {
    const extra = JSON.parse(membersText(10)) as object;
    const record = (index: number) => ({
      ...person(index),
      kyc_status: 'APPROVED',
      tier: 'Tier2',
      document_reference: `passport ${index}`,
      data_source_id: 'branch-7',
      kyc_expires_at: '2999-12-31T23:59:59Z',
      extra_data: extra,
    });
    const body = { records: Array.from({ length: 1_000 }, (_, index) => record(index)) };
    const answer = await send({ ...withKey('/api/v1/ingest/batch'), body });
    expect([answer.status, answer.json['errors']]).toEqual([202, []]);
  });
});

it('an event of the payment provider of 60,000 bytes is still taken', async () => {
  const event = { id: 'evt_long', object: 'event', type: 'customer.created', livemode: false, data: { object: {} } };
  const raw = JSON.stringify({ ...event, padding: 'x'.repeat(60_000) });
  const answer = await send({ ...unsigned(signed(raw)), raw, from: freshAddress() });
  expect([answer.status, answer.text]).toEqual([200, '{"received":true}']);
});
