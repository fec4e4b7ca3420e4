import { randomUUID } from 'node:crypto';
import { type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { answering, TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';
import { agreeing, delivered, prove, register } from '../support/attack/webhook-receivers.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';

const TYPES = ['identity.created', 'identity.verified', 'ingestion.completed'] as const;
const MAX_ENDPOINTS = 20;
const BATCH = 25;
/** Of each record that it was created and verified, and that the batch is done. */
const EVENTS_OF_BATCH = 2 * BATCH + 1;

let deployment: SharedDeployment;
let receiver: TestReceiver;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
}, 90_000);
afterAll(() => deployment.leave(), 60_000);

beforeEach(async () => {
  receiver = await TestReceiver.start();
  tenant = await deployment.operator.tenant({ credits: 10 });
});
afterEach(() => receiver.stop());

const registered = async (url: string): Promise<string> => {
  const answer = await register(deployment.http, tenant, url, TYPES);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(answer.json['id']);
};

const ingestBatch = async (first: number): Promise<void> => {
  const records = Array.from({ length: BATCH }, (_, number) => ({ ...person(first + number), kyc_status: 'APPROVED' }));
  await deployment.http.expect(202, { path: '/api/v1/ingest/batch', apiKey: tenant.apiKey, body: { records } });
};

/** Deliveries of an endpoint, as its tenant sees them. */
const deliveriesOf = async (endpointId: string): Promise<readonly Json[]> => {
  const path = `/api/v1/webhooks/endpoints/${endpointId}/deliveries?limit=100`;
  return (await deployment.http.expect(200, { path, apiKey: tenant.apiKey })).json['deliveries'] as Json[];
};

/** Every delivery of the endpoints has met its end, or a try, or waits for something else than its turn. */
const untilTried = (endpointIds: readonly string[], tries: () => number): Promise<unknown> => {
  let [before, looks] = [-1, 0];
  return eventually('deliveries of which nothing becomes any more', async () => {
    const lists = await Promise.all(endpointIds.map(deliveriesOf));
    if (lists.every((list) => list.length === 0)) return false;
    looks = tries() === before ? looks + 1 : 0;
    before = tries();
    return looks > 20;
  });
};

describe('twenty endpoints on one URL', () => {
  it.each([
    ['', (url: string) => Array<string>(MAX_ENDPOINTS).fill(url)],
    [
      ' in several spellings',
      (url: string) =>
        [
          url,
          url.replace('http://', 'HTTP://'),
          url.replace('127.0.0.1', '127.1'),
          url.replace('127.0.0.1', '0x7f000001'),
          url.replace('/hook', '/./hook'),
          url.replace('/hook', '/x/../hook'),
          url.replace('/hook', '/%68ook'),
          `${url}#one`,
          `${url}#two`,
        ].slice(),
    ],
  ])(
    'count once: one POST an event%s',
    async (_how, spellings) => {
      const path = '/hook';
      receiver.behaviours.set(path, agreeing);
      receiver.behaviours.set('/%68ook', agreeing);
      const answers = [];
      for (const url of spellings(receiver.url(path)))
        answers.push(await register(deployment.http, tenant, url, TYPES));
      const ids = answers.filter(({ status }) => status === 201).map(({ json }) => String(json['id']));
      expect(ids.length).toBeGreaterThan(0);
      const tests = new Set<string>();
      for (const id of new Set(ids)) tests.add(await prove(deployment.http, tenant, id));
      await ingestBatch(65_000);
      const arrived = () => ['/hook', '/%68ook'].flatMap((at) => delivered(receiver, at, tests));
      await eventually('every event', () => new Set(arrived().map(({ id }) => id)).size === EVENTS_OF_BATCH);
      await untilTried([...new Set(ids)], () => receiver.received.length);
      expect(arrived().length).toBe(EVENTS_OF_BATCH);
    },
    90_000,
  );
});

describe('an address that never said that it wants anything', () => {
  it('gets no event of a batch', async () => {
    receiver.behaviours.set('/innocent', answering(404));
    receiver.unwilling.add('/innocent');
    receiver.behaviours.set('/own', agreeing);
    const innocent = await registered(receiver.url('/innocent'));
    const own = await registered(receiver.url('/own'));
    const tests = new Set([await prove(deployment.http, tenant, own)]);
    await ingestBatch(65_100);
    await eventually(
      'every event at the endpoint beside it',
      () => delivered(receiver, '/own', tests).length === EVENTS_OF_BATCH,
    );
    await untilTried([innocent, own], () => receiver.received.length);
    expect(delivered(receiver, '/innocent').length).toBe(0);
  }, 90_000);

  it('gets none either where an endpoint that had proved itself is turned to it', async () => {
    receiver.behaviours.set('/innocent', answering(404));
    receiver.unwilling.add('/innocent');
    receiver.behaviours.set('/own', agreeing);
    const endpoint = await registered(receiver.url('/own'));
    const other = await registered(receiver.url('/other'));
    receiver.behaviours.set('/other', agreeing);
    await prove(deployment.http, tenant, endpoint);
    const tests = new Set([await prove(deployment.http, tenant, other)]);
    const path = `/api/v1/webhooks/endpoints/${endpoint}`;
    const url = receiver.url('/innocent');
    await deployment.http.expect(200, { method: 'PATCH', path, apiKey: tenant.apiKey, body: { url } });
    await ingestBatch(65_200);
    await eventually('every event beside it', () => delivered(receiver, '/other', tests).length === EVENTS_OF_BATCH);
    await untilTried([endpoint, other], () => receiver.received.length);
    expect(delivered(receiver, '/innocent').length).toBe(0);
  }, 90_000);

  it('is asked a few times, however often the endpoint is registered, and not once an event', async () => {
    receiver.behaviours.set('/innocent', answering(404));
    receiver.unwilling.add('/innocent');
    receiver.behaviours.set('/own', agreeing);
    const endpoints = [];
    for (let number = 0; number < 10; number += 1) {
      const answer = await register(deployment.http, tenant, receiver.url('/innocent'), TYPES);
      if (answer.status === 201) endpoints.push(String(answer.json['id']));
    }
    const own = await registered(receiver.url('/own'));
    const tests = new Set([await prove(deployment.http, tenant, own)]);
    await ingestBatch(65_300);
    await eventually('every event beside it', () => delivered(receiver, '/own', tests).length === EVENTS_OF_BATCH);
    await untilTried([...new Set([...endpoints, own])], () => receiver.received.length);
    expect(receiver.at('/innocent').length).toBeLessThanOrEqual(10);
  }, 90_000);

  it('gets none where a delivery is ordered again', async () => {
    receiver.behaviours.set('/innocent', answering(404));
    receiver.unwilling.add('/innocent');
    receiver.behaviours.set('/own', agreeing);
    const innocent = await registered(receiver.url('/innocent'));
    const own = await registered(receiver.url('/own'));
    const tests = new Set([await prove(deployment.http, tenant, own)]);
    await ingestBatch(65_400);
    await eventually('every event beside it', () => delivered(receiver, '/own', tests).length === EVENTS_OF_BATCH);
    const ordered = (await deliveriesOf(innocent)).slice(0, 5).map(({ id }) => String(id));
    for (const id of ordered)
      await deployment.http.send({
        method: 'POST',
        path: `/api/v1/webhooks/deliveries/${id}/redeliver`,
        apiKey: tenant.apiKey,
        headers: { 'idempotency-key': randomUUID() },
      });
    await untilTried([innocent, own], () => receiver.received.length);
    expect(delivered(receiver, '/innocent').length).toBe(0);
  }, 90_000);
});
