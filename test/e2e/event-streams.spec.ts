import { get, type IncomingMessage } from 'node:http';
import { Deployment, LONG_STORE_BUDGET_MS, SCALED_ERASURE } from '../support/load/deployment.js';
import { type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';

let deployment: Deployment;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  deployment = await Deployment.start({ env: { ...LONG_STORE_BUDGET_MS, ...SCALED_ERASURE } });
  tenant = await deployment.operator.tenant();
  other = await deployment.operator.tenant();
}, 90_000);

afterAll(() => deployment.stop());

interface Told {
  readonly id: string;
  readonly data: Json;
}

class Stream {
  private text = '';
  isEnded = false;

  private constructor(
    readonly response: IncomingMessage,
    private readonly close: () => void,
  ) {
    response.setEncoding('utf8').on('data', (part: string) => (this.text += part));
    response.on('close', () => (this.isEnded = true)).on('error', () => (this.isEnded = true));
  }

  static open(apiKey: string, query = '', headers: Readonly<Record<string, string>> = {}): Promise<Stream> {
    const url = `${deployment.http.baseUrl}/api/v1/events/stream${query}`;
    return new Promise((resolve, reject) => {
      const request = get(url, { headers: { 'X-API-Key': apiKey, ...headers }, agent: false }, (response) =>
        resolve(new Stream(response, () => request.destroy())),
      );
      request.on('error', reject);
    });
  }

  get told(): readonly Told[] {
    return [...this.text.matchAll(/^id: (\S+)\ndata: (.*)\n\n/gm)].map(([, id = '', data = '']) => ({
      id,
      data: JSON.parse(data) as Json,
    }));
  }

  get resets(): readonly Json[] {
    return [...this.text.matchAll(/^event: reset\ndata: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data) as Json);
  }

  types(): readonly unknown[] {
    return this.told.map(({ data }) => data['type']);
  }

  async leave(): Promise<void> {
    this.close();
    await eventually('its end', () => Promise.resolve(this.isEnded));
  }
}

const newKey = async ({ apiKey }: Tenant): Promise<{ readonly id: string; readonly api_key: string }> => {
  const body = { name: 'A stream', scopes: ['webhooks'] };
  return (await deployment.http.expect(201, { path: '/api/v1/keys', apiKey, body })).json as never;
};

it('tells what happens from now on, to its own account alone, and after an interruption what was missed', async () => {
  await ingestAll(deployment.http, tenant, [person(1)]);
  const [own, foreign] = [await Stream.open(tenant.apiKey), await Stream.open(other.apiKey)];
  expect(own.response.headers['content-type']).toBe('text/event-stream');
  await ingestAll(deployment.http, tenant, [person(2)]);
  await eventually('the event', () => Promise.resolve(own.types().includes('identity.created')));
  const last = own.told.at(-1)?.id ?? '';
  await own.leave();
  await ingestAll(deployment.http, tenant, [person(3)]);
  const again = await Stream.open(tenant.apiKey, '', { 'Last-Event-ID': last });
  await eventually('what was missed', () => Promise.resolve(again.types().includes('identity.created')));
  const { json } = await deployment.http.expect(200, {
    path: `/api/v1/events?after=${last}`,
    apiKey: tenant.apiKey,
  });
  await eventually('every event', () => Promise.resolve(again.told.length >= (json['events'] as Json[]).length));
  expect(again.told.map(({ data }) => data)).toEqual(json['events']);
  expect(foreign.told).toEqual([]);
  await again.leave();
  await foreign.leave();
}, 60_000);

it('begins at no event of another account or that never was: it says so first, and tells what happens from now on', async () => {
  await ingestAll(deployment.http, tenant, [person(4)]);
  await ingestAll(deployment.http, other, [person(4)]);
  const { json } = await deployment.http.expect(200, { path: '/api/v1/events?limit=1', apiKey: tenant.apiKey });
  const [event] = json['events'] as { id: string }[];
  const own = await eventually('an own event', async () => {
    const answer = await deployment.http.expect(200, { path: '/api/v1/events?limit=1', apiKey: other.apiKey });
    return (answer.json['events'] as { id: string }[])[0]?.id;
  });
  for (const [query, headers] of [
    [`?after=${event?.id}`, {}],
    ['', { 'Last-Event-ID': event?.id ?? '' }],
    ['', { 'Last-Event-ID': 'x' }],
  ] as const) {
    const stream = await Stream.open(other.apiKey, query, headers);
    expect(stream.response.statusCode).toBe(200);
    await eventually('a reset', () => stream.resets.length > 0);
    expect([stream.resets, stream.told]).toEqual([[{ oldest: own }], []]);
    await stream.leave();
  }
  const empty = await Stream.open(other.apiKey, '', { 'Last-Event-ID': '' });
  await ingestAll(deployment.http, other, [person(5)]);
  await eventually('what happens', () => empty.types().includes('identity.created'));
  expect(empty.resets).toEqual([]);
  await empty.leave();
  const refused = await deployment.http.send({ path: `/api/v1/events?after=${event?.id}`, apiKey: other.apiKey });
  expect([refused.status, refused.json['detail']]).toEqual([422, expect.stringMatching(/start without after/)]);
}, 60_000);

it('goes on behind an erasure that removed the last event which its reader saw, and hears of it', async () => {
  const reader = await deployment.operator.tenant();
  await ingestAll(deployment.http, reader, [person(6)]);
  const { apiKey } = reader;
  const { json } = await deployment.http.expect(200, { path: '/api/v1/identity?limit=1', apiKey });
  const id = String((json['identities'] as Json[])[0]?.['identity_id']);
  const feed = async (after = ''): Promise<readonly Json[]> =>
    (await deployment.http.expect(200, { path: `/api/v1/events?limit=1000${after}`, apiKey })).json['events'] as Json[];
  await deployment.http.expect(202, { method: 'DELETE', path: `/api/v1/identity/${id}`, apiKey });
  const last = await eventually('the soft deletion', async () =>
    (await feed()).findLast(({ type, data }) => type === 'identity.deleted' && (data as Json)['stage'] === 'soft'),
  );
  const stream = await Stream.open(apiKey, '', { 'Last-Event-ID': String(last['id']) });
  const isErasure = ({ type, data }: Json): boolean =>
    type === 'identity.deleted' && (data as Json)['stage'] === 'hard';
  await eventually('the erasure', () => stream.told.some(({ data }) => isErasure(data)));
  expect((await feed()).map((event) => event['id'])).not.toContain(last['id']);
  expect((await feed(`&after=${String(last['id'])}`)).some(isErasure)).toBe(true);
  await stream.leave();
}, 60_000);

it('ends within seconds when its key is revoked', async () => {
  const { id, api_key: apiKey } = await newKey(tenant);
  const stream = await Stream.open(apiKey);
  await deployment.http.expect(204, { method: 'DELETE', path: `/api/v1/keys/${id}`, apiKey: tenant.apiKey });
  await eventually('its end', () => Promise.resolve(stream.isEnded));
}, 30_000);

it('is refused where a caller holds many already, and again open once one is closed', async () => {
  const { apiKey: own } = await deployment.operator.tenant();
  const streams = await Promise.all(Array.from({ length: 20 }, () => Stream.open(own)));
  expect(streams.map(({ response }) => response.statusCode)).toEqual(streams.map(() => 200));
  expect((await Stream.open(own)).response.statusCode).toBe(429);
  await streams[0]?.leave();
  const next = await eventually('room for one', async () => {
    const stream = await Stream.open(own);
    return stream.response.statusCode === 200 ? stream : undefined;
  });
  await Promise.all([next, ...streams].map((stream) => stream.leave()));
});

it('answers HEAD without a stream', async () => {
  const path = '/api/v1/events/stream?seconds=3600';
  const { apiKey } = await deployment.operator.tenant();
  const head = () =>
    fetch(deployment.http.baseUrl + path, { method: 'HEAD', headers: { 'X-API-Key': apiKey } }).then(
      ({ status }) => status,
    );
  // More than one may hold: none is held.
  for (let turn = 0; turn < 25; turn += 1) expect(await head()).toBe(200);
  const stream = await Stream.open(apiKey);
  expect(stream.response.statusCode).toBe(200);
  await stream.leave();
});

it('does not hold up the end of the service', async () => {
  const stream = await Stream.open(tenant.apiKey);
  const { service } = deployment.instance(0);
  await service.stop();
  await eventually('its end', () => Promise.resolve(stream.isEnded));
  expect(service.output()).not.toContain('cut off');
}, 60_000);
