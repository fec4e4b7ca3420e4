import { newUuid } from '../../src/kernel/ids.js';
import { EventStream } from '../support/load/event-stream.js';
import { type Json } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/processes.js';

const [ERASED, BEFORE, AFTER]: readonly [Person, Person, Person] = [person(81), person(80), person(82)];

let deployment: SharedDeployment;
let receiver: TestReceiver;
let tenant: Tenant;
/** What was opened before the erasure. */
let stream: EventStream;
let endpointId: string;
/** Of the erased person: the last event and the last delivery that named it. */
let erased: { readonly event: string; readonly delivery: string };

const get = (path: string) => deployment.http.send({ path, apiKey: tenant.apiKey });

const feed = async (query = ''): Promise<readonly Json[]> => {
  const answer = await get(`/api/v1/events${query}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json['events'] as Json[];
};

const deliveries = async (query = ''): Promise<readonly Json[]> => {
  const answer = await get(`/api/v1/webhooks/endpoints/${endpointId}/deliveries${query}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json['deliveries'] as Json[];
};

const open = (query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> =>
  EventStream.open(deployment.http, `/api/v1/events/stream${query}`, { 'X-API-Key': tenant.apiKey, ...headers });

const idOf = async (who: Person): Promise<string> => {
  const [identity] = (await get(`/api/v1/identities?${new URLSearchParams(enquiry(who)).toString()}`)).json[
    'identities'
  ] as { identity_id: string }[];
  return identity?.identity_id ?? '';
};

const erase = async (identityId: string): Promise<void> => {
  const path = `/api/v1/identity/${identityId}`;
  await deployment.http.expect(202, { method: 'DELETE', path, apiKey: tenant.apiKey });
  await eventually('the certificate', async () => (await get(`${path}/erasure-certificate`)).status === 200);
};

const names = (identityId: string) => (event: Json) =>
  JSON.stringify(event['data']).includes(identityId) && event['type'] !== 'identity.deleted';

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 100 });
  receiver = await TestReceiver.start();
  const body = { url: receiver.url('/feed'), events: ['identity.created', 'identity.verified'] };
  const registered = await deployment.http.expect(201, {
    path: '/api/v1/webhooks/endpoints',
    apiKey: tenant.apiKey,
    body,
  });
  endpointId = String(registered.json['id']);
  await ingestAll(deployment.http, tenant, [BEFORE]);
  await ingestAll(deployment.http, tenant, [ERASED]);
  const identityId = await idOf(ERASED);
  const named = await eventually('what names the person', async () => {
    const [events, sent] = [(await feed()).filter(names(identityId)), await deliveries()];
    const ids = new Set(events.map(({ id }) => id));
    const own = sent.filter(({ event_id, status }) => ids.has(event_id) && status === 'delivered');
    return own.length === 2 && sent.length === 4 ? { events, own } : undefined;
  });
  erased = { event: String(named.events.at(-1)?.['id']), delivery: String(named.own[0]?.['id']) };
  // It has told of nothing but the person.
  stream = await open(`?after=${String(named.events[0]?.['id'])}`);
  await eventually('the last event of the person', () => stream.told.some(({ id }) => id === erased.event));
  await erase(identityId);
  await ingestAll(deployment.http, tenant, [AFTER]);
}, 120_000);

afterAll(async () => {
  await deployment.leave();
  await receiver.stop();
}, 60_000);

const createdLast = async (): Promise<string> => {
  const created = await eventually('the event of who came after', async () =>
    (await feed()).filter(({ type }) => type === 'identity.created').at(-1),
  );
  return String(created['id']);
};

describe('a reader whose last event was erased', () => {
  it('goes on with what came after it', async () => {
    const [created, events] = [await createdLast(), await feed(`?after=${erased.event}`)];
    expect(events.map(({ id }) => id)).toContain(created);
    const all = (await feed()).map(({ id }) => id);
    // Nothing of before is told again.
    expect(events.map(({ id }) => id)).toEqual(all.slice(-events.length));
    expect(events.length).toBeLessThan(all.length);
  });

  it('over a stream that is open is told of what comes after it', async () => {
    const created = await createdLast();
    await eventually('the event', () => stream.told.some(({ id }) => id === created));
    await stream.leave();
  });

  it('over a stream that is opened again is told of what came after it', async () => {
    const created = await createdLast();
    const again = await open('', { 'Last-Event-ID': erased.event });
    expect(again.status).toBe(200);
    await eventually('the event', () => again.told.some(({ id }) => id === created));
    expect(again.told.map(({ event }) => event)).toEqual(again.told.map(() => 'message'));
    await again.leave();
  });
});

it('the deliveries behind one that was erased are listed all the same', async () => {
  const older = await deliveries(`?before=${erased.delivery}`);
  expect(older.length).toBe(2);
});

describe('a reader that names an event that never was', () => {
  it('of the feed is told to start without it', async () => {
    const answer = await get(`/api/v1/events?after=${newUuid()}`);
    expect([answer.status, answer.code]).toEqual([422, 'INVALID_FIELD']);
    expect(answer.text).toMatch(/without after/i);
  });

  it.each([
    ['an id', newUuid()],
    ['no id', 'x'],
  ])(
    'over a stream, by %s, is told where the feed begins now, and then of what happens',
    async (_what, unknown) => {
      const oldest = String((await feed('?limit=1'))[0]?.['id']);
      const opened = await open('', { 'Last-Event-ID': unknown });
      expect(opened.status).toBe(200);
      await eventually('the reset', () => opened.told[0]?.event === 'reset');
      expect(JSON.stringify(opened.told[0]?.data)).toContain(oldest);
      await ingestAll(deployment.http, tenant, [person(90)]);
      await eventually('what happens', () => opened.types().includes('ingestion.completed'));
      await opened.leave();
    },
    60_000,
  );
});

it('an empty Last-Event-ID is none', async () => {
  const [first, second] = await feed('?limit=2');
  const live = await open('', { 'Last-Event-ID': '' });
  expect(live.status).toBe(200);
  await live.leave();
  const behind = await open(`?after=${String(first?.['id'])}`, { 'Last-Event-ID': '' });
  expect(behind.status).toBe(200);
  await eventually('the event behind it', () => behind.told[0]?.id === second?.['id']);
  await behind.leave();
});
