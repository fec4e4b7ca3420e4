import { randomInt, randomUUID } from 'node:crypto';
import { type Json } from '../load/http.js';
import { type Endpoint, type Sent } from './endpoint.js';
import { type Owner, type World } from './world.js';

type Parameters = Promise<Readonly<Record<string, string>>>;

const PATH = '/api/v1/webhooks/endpoints';
/** Nothing listens there, so deliveries fail at once. */
const URL = 'http://127.0.0.1:49151/webhooks';
const BODY = { url: URL, events: ['identity.expired'], description: 'A receiver' };

/** The endpoint of each owner that every call may use. */
const kept = new Map<string, string>();

/** An account has 20 at most. */
const makeRoom = async ({ apiKey, tenantId }: Owner, { http }: World): Promise<void> => {
  const { endpoints } = (await http.expect(200, { path: PATH, apiKey })).json as { endpoints: { id: string }[] };
  if (endpoints.length < 15) return;
  for (const { id } of endpoints)
    if (id !== kept.get(tenantId)) await http.send({ method: 'DELETE', path: `${PATH}/${id}`, apiKey });
};

/** An account's endpoints at one host share their challenges. */
const ownHost = (): string => `127.9.${randomInt(256)}.${randomInt(1, 255)}`;

const freshEndpoint = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  await makeRoom(owner, world);
  const body = { ...BODY, url: `http://${ownHost()}:49151/${randomUUID()}` };
  const { json } = await world.http.expect(201, { path: PATH, apiKey: owner.apiKey, body });
  return { id: String(json['id']) };
};

/** A URL is registered once an account. */
const freeUrl = async (url: string, { apiKey }: Owner, { http }: World): Promise<void> => {
  const { endpoints } = (await http.expect(200, { path: PATH, apiKey })).json as {
    endpoints: { id: string; url: string }[];
  };
  for (const endpoint of endpoints)
    if (endpoint.url === url) await http.send({ method: 'DELETE', path: `${PATH}/${endpoint.id}`, apiKey });
};

const anEndpoint = async (owner: Owner, world: World): Parameters => {
  const id = kept.get(owner.tenantId) ?? (await freshEndpoint(owner, world))['id'] ?? '';
  kept.set(owner.tenantId, id);
  return { id };
};

const aDelivery = async (owner: Owner, world: World): Parameters => {
  const { id = '' } = await freshEndpoint(owner, world);
  const body = { event_type: 'identity.expired' };
  const { json } = await world.http.expect(200, { path: `${PATH}/${id}/test`, apiKey: owner.apiKey, body });
  return { id: String(json['delivery_id']) };
};

const anEvent = async ({ apiKey }: Owner, { http }: World): Parameters => {
  const { events } = (await http.expect(200, { path: '/api/v1/events?limit=1', apiKey })).json as {
    events: { id: string }[];
  };
  return { event_id: events[0]?.id ?? '' };
};

const endpointOf = async (id: unknown, { call: { apiKey }, world: { http } }: Sent): Promise<Json> =>
  (await http.expect(200, { path: `${PATH}/${String(id)}`, apiKey })).json;

const deliveryOf = async ({ call: { path, apiKey }, answer, world: { http } }: Sent): Promise<Json> => {
  const list = path.replace(/test$/, 'deliveries');
  const { deliveries } = (await http.expect(200, { path: list, apiKey })).json as { deliveries: Json[] };
  return deliveries.find(({ id }) => id === answer.json['delivery_id']) ?? {};
};

const webhook = { access: 'key', scope: 'webhooks', success: 200 } as const;

const INVALID = {
  url: ['nowhere', 'INVALID_FIELD'],
  events: [['everything'], 'INVALID_FIELD'],
  description: ['x'.repeat(513), 'INVALID_FIELD'],
} as const;

export const webhookEndpoints: readonly Endpoint[] = [
  { ...webhook, method: 'GET', path: PATH },
  {
    ...webhook,
    method: 'POST',
    path: PATH,
    success: 201,
    parameters: async (owner, world) => {
      await freeUrl(URL, owner, world);
      return {};
    },
    body: BODY,
    givenBack: (sent) => endpointOf(sent.answer.json['id'], sent),
    required: ['url', 'events'],
    invalid: INVALID,
    refused: { url: ['http://10.0.0.1/', 'INVALID_FIELD'] },
  },
  { ...webhook, method: 'GET', path: `${PATH}/{id}`, parameters: anEndpoint },
  {
    ...webhook,
    method: 'PATCH',
    path: `${PATH}/{id}`,
    parameters: async (owner, world) => {
      await freeUrl(`${URL}/other`, owner, world);
      return freshEndpoint(owner, world);
    },
    body: { url: `${URL}/other`, events: ['report.completed'], description: 'Another one', is_active: false },
    givenBack: (sent) => endpointOf(sent.call.path.split('/').at(-1), sent),
    required: [],
    invalid: { ...INVALID, is_active: ['yes', 'INVALID_FIELD'] },
    refused: { url: ['http://169.254.1.1/', 'INVALID_FIELD'] },
  },
  { ...webhook, method: 'DELETE', path: `${PATH}/{id}`, success: 204, parameters: freshEndpoint },
  {
    ...webhook,
    method: 'POST',
    path: `${PATH}/{id}/rotate-secret`,
    parameters: anEndpoint,
    body: { overlap_seconds: 60 },
    givenBack: ({ answer: { json } }) => {
      const overlap = Date.parse(String(json['overlap_ends_at'])) - Date.parse(String(json['rotated_at']));
      return Promise.resolve({ overlap_seconds: overlap / 1_000 });
    },
    required: [],
    invalid: { overlap_seconds: [-1, 'INVALID_FIELD'] },
  },
  {
    ...webhook,
    method: 'POST',
    path: `${PATH}/{id}/test`,
    needsNoLog: true,
    parameters: freshEndpoint,
    body: { event_type: 'identity.expired' },
    givenBack: deliveryOf,
    required: ['event_type'],
    invalid: { event_type: ['everything', 'INVALID_FIELD'] },
  },
  {
    ...webhook,
    method: 'GET',
    path: `${PATH}/{id}/deliveries`,
    parameters: anEndpoint,
    invalidQuery: {
      status: ['lost', 'INVALID_FIELD'],
      limit: ['101', 'INVALID_FIELD'],
      before: ['yesterday', 'INVALID_FIELD'],
      event_type: ['everything', 'INVALID_FIELD'],
      since: ['yesterday', 'INVALID_DATE'],
    },
  },
  { ...webhook, method: 'GET', path: `${PATH}/{id}/health`, parameters: anEndpoint },
  { ...webhook, method: 'GET', path: '/api/v1/webhooks/deliveries/{id}', parameters: aDelivery },
  {
    ...webhook,
    method: 'POST',
    path: '/api/v1/webhooks/deliveries/{id}/redeliver',
    needsNoLog: true,
    parameters: aDelivery,
  },
  {
    ...webhook,
    method: 'POST',
    path: '/api/v1/webhooks/endpoints/{id}/redeliver-failed',
    needsNoLog: true,
    parameters: anEndpoint,
    body: { since: '2026-01-01' },
    required: ['since'],
    invalid: { since: ['yesterday', 'INVALID_DATE'] },
    unkept: ['since'],
  },
  { ...webhook, method: 'GET', path: '/api/v1/events/{event_id}', parameters: anEvent },
  {
    ...webhook,
    method: 'GET',
    path: '/api/v1/events',
    invalidQuery: { after: ['the last', 'INVALID_FIELD'], limit: ['0', 'INVALID_FIELD'] },
  },
  {
    ...webhook,
    method: 'GET',
    path: '/api/v1/events/stream',
    query: { seconds: '1' },
    invalidQuery: { after: ['the last', 'INVALID_FIELD'], seconds: ['0', 'INVALID_FIELD'] },
  },
];
