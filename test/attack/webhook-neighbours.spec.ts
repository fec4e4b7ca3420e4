import { person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually, sleep } from '../support/stack.js';
import { agreeing, delivered, Holding, prove, register } from '../support/attack/webhook-receivers.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';

const TYPES = ['identity.created', 'identity.verified'] as const;
/** Together they have more endpoints than a process serves at the same time. */
const ACCOUNTS = 14;
const ENDPOINTS_EACH = 20;
const A_LOOK = 50;

let deployment: SharedDeployment;
let flooded: TestReceiver;
let other: TestReceiver;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  [flooded, other] = [await TestReceiver.start(), await TestReceiver.start()];
}, 90_000);
afterAll(async () => {
  await deployment.leave();
  await Promise.all([flooded, other].map((receiver) => receiver.stop()));
}, 60_000);

const registered = async (tenant: Tenant, url: string): Promise<string> => {
  const answer = await register(deployment.http, tenant, url, TYPES);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(answer.json['id']);
};

const ingest = ({ apiKey }: Tenant, number: number) =>
  deployment.http.expect(202, { path: '/api/v1/ingest', apiKey, body: { ...person(number), kyc_status: 'APPROVED' } });

const untilStill = async (what: string, count: () => number): Promise<void> => {
  let [before, looks] = [-1, 0];
  await eventually(what, async () => {
    looks = count() > 0 && count() === before ? looks + 1 : 0;
    before = count();
    await sleep(A_LOOK);
    return looks > 15;
  });
};

it('a host that answers nothing keeps no event from the receivers of others', async () => {
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, () => deployment.operator.tenant({ credits: 10 })),
  );
  const holding = new Holding();
  let floods = false;
  await Promise.all(
    accounts.map(async (tenant, account) => {
      for (let number = 0; number < ENDPOINTS_EACH; number += 1) {
        const path = `/${account}/${number}`;
        flooded.behaviours.set(path, (...request) => (floods ? holding.behaviour : agreeing)(...request));
        await prove(deployment.http, tenant, await registered(tenant, flooded.url(path)));
      }
    }),
  );
  const neighbour = await deployment.operator.tenant({ credits: 10 });
  other.behaviours.set('/', agreeing);
  const tests = new Set([await prove(deployment.http, neighbour, await registered(neighbour, other.url('/')))]);
  floods = true;
  await Promise.all(accounts.map((tenant, account) => ingest(tenant, 66_000 + account)));
  await untilStill('requests that the host holds', () => holding.count);
  await ingest(neighbour, 66_500);
  await eventually('the neighbour’s events', () => delivered(other, '/', tests).length === 2, 60_000);
  expect([holding.count > 0, holding.givenUp]).toEqual([true, 0]);
  holding.letGo();
}, 280_000);
