import { type Endpoint } from './endpoint.js';
import { enquiry } from '../load/people.js';
import { eventually } from '../processes.js';
import { PERSON } from './identity.js';
import { type Owner, type World } from './world.js';

/** A documented sandbox name that is on a list. */
const review = (change: string, text: string, parameters: Endpoint['parameters'] = match): Endpoint => ({
  method: 'POST',
  path: `/api/v1/compliance/matches/{match_id}/${change}`,
  access: 'key',
  scope: 'compliance',
  success: 200,
  parameters,
  body: { [text]: 'What was written of it', version: ['assign', 'confirm', 'dismiss'].includes(change) ? 1 : 2 },
  sealed: [text],
  unkept: ['version'],
  required: [text],
  invalid: { [text]: ['', 'INVALID_FIELD'], version: [0, 'INVALID_FIELD'] },
});

export const LISTED = { full_name: 'Confirmed Testmatch', country: 'CH' };

const QUERY = {
  full_name: PERSON.full_name,
  date_of_birth: '1960-04',
  country: 'DEU',
  aliases: ['Mia Example'],
  entity_type: 'person',
  gender: 'female',
  identifiers: [{ type: 'passport', number: 'A1234567', country: 'DE' }],
  address: 'Beispielstrasse 12, Berlin',
  lists: ['EU_CONSOLIDATED'],
};

const check = (path: string, lists = QUERY.lists): Endpoint => ({
  method: 'POST',
  path,
  access: 'key',
  scope: 'compliance',
  success: 200,
  charged: 2,
  body: { ...QUERY, lists },
  unkept: Object.keys(QUERY),
  required: ['full_name'],
  invalid: {
    full_name: [' ', 'INVALID_FIELD'],
    date_of_birth: ['1960-02-30', 'INVALID_DATE'],
    country: ['Germany', 'INVALID_FIELD'],
    aliases: [['---'], 'INVALID_FIELD'],
    entity_type: ['company', 'INVALID_FIELD'],
    gender: ['x', 'INVALID_FIELD'],
    identifiers: [[{ type: 'passport' }], 'INVALID_FIELD'],
    address: ['', 'INVALID_FIELD'],
    lists: [['eu'], 'INVALID_FIELD'],
  },
});

const checked = async ({ apiKey }: Owner, { http }: World, body = LISTED): Promise<Readonly<Record<string, unknown>>> =>
  (await http.expect(200, { path: '/api/v1/compliance/sanctions', apiKey, body })).json;

const decision = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  const { decision_id: id } = await checked(owner, world);
  return { id: String(id), decision_id: String(id) };
};

const COUNTRIES =
  'AT BE BG BR CA CL CN CO CY CZ DK EE EG ES FI FR GB GE GR HR HU IE IL IN IS IT JP KE KR LT LU LV MA MT MX NL NO NZ PE PL PT RO'.split(
    ' ',
  );
let asked = 0;

/** Of a query of its own: another test may have dismissed the match of the same query. */
const match = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  const country = COUNTRIES[(asked += 1) % COUNTRIES.length] ?? 'AT';
  const { matches } = await checked(owner, world, { ...LISTED, country });
  return { match_id: (matches as { match_id: string }[])[0]?.match_id ?? 'none' };
};

const judged = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  const found = await match(owner, world);
  const path = `/api/v1/compliance/matches/${found['match_id'] ?? ''}/confirm`;
  const call = { path, apiKey: owner.apiKey, body: { note: 'The name agrees' } };
  // While the rows of a busy deployment are late, the match is not found yet.
  await eventually('the match is judged', async () => (await world.http.send(call)).status === 200);
  return found;
};

/** By a key that an operator made, which no one else holds. */
const proposed = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  const { http, admin: token } = world;
  const found = await match(owner, world);
  const askFourEyes = (fourEyes: boolean): Promise<unknown> => {
    const call = { method: 'PATCH', path: '/api/v1/compliance/review', apiKey: owner.apiKey } as const;
    return http.expect(200, { ...call, body: { four_eyes: fourEyes } });
  };
  const key = { path: `/admin/accounts/${owner.tenantId}/keys`, token, body: { name: 'Another officer' } };
  const { api_key: apiKey } = (await http.expect(201, key)).json;
  await askFourEyes(true);
  const path = `/api/v1/compliance/matches/${found['match_id'] ?? ''}/dismiss`;
  const call = { path, apiKey: String(apiKey), body: { reason: 'Another person' } };
  await eventually('the dismissal is proposed', async () => (await http.send(call)).status === 200);
  await askFourEyes(false);
  return found;
};

const own = { access: 'key', scope: 'compliance', parameters: decision } as const;
const operators = { access: 'role', roles: ['security'], parameters: decision } as const;

export const screeningEndpoints: readonly Endpoint[] = [
  check('/api/v1/compliance/sanctions'),
  {
    method: 'POST',
    path: '/api/v1/compliance/sanctions/batch',
    access: 'key',
    scope: 'compliance',
    success: 200,
    charged: 2,
    body: { queries: [QUERY] },
    unkept: ['queries'],
    required: ['queries'],
    invalid: { queries: [[], 'INVALID_FIELD'] },
  },
  check('/api/v1/compliance/pep', ['PEP']),
  {
    method: 'POST',
    path: '/api/v1/assess-risk',
    access: 'key',
    scope: 'compliance',
    success: 200,
    charged: 5,
    body: { ...enquiry(PERSON), full_name: PERSON.full_name, country: 'US' },
    unkept: ['email', 'phone_number', 'full_name', 'country'],
    required: ['email', 'phone_number'],
    invalid: {
      email: [7, 'INVALID_EMAIL'],
      phone_number: ['12025550123', 'INVALID_PHONE'],
      full_name: ['', 'INVALID_FIELD'],
      country: ['XYZ', 'INVALID_FIELD'],
    },
  },
  { ...review('assign', 'to'), required: [], excluded: ['member_id'] },
  review('confirm', 'note'),
  review('dismiss', 'reason'),
  review('reopen', 'reason', judged),
  review('approve', 'note', proposed),
  review('reject', 'note', proposed),
  {
    method: 'POST',
    path: '/api/v1/compliance/matches/bulk',
    access: 'key',
    scope: 'compliance',
    success: 200,
    body: { match_ids: ['mat_0'], decision: 'dismiss', reason: 'Other people' },
    unkept: ['match_ids', 'decision', 'reason'],
    required: ['match_ids', 'decision', 'reason'],
    invalid: {
      match_ids: [[], 'INVALID_FIELD'],
      decision: ['clear', 'INVALID_FIELD'],
      reason: ['', 'INVALID_FIELD'],
    },
  },
  { method: 'GET', path: '/api/v1/compliance/review', access: 'key', scope: 'compliance', success: 200 },
  {
    method: 'PATCH',
    path: '/api/v1/compliance/review',
    access: 'key',
    scope: 'compliance',
    success: 200,
    body: { date_policy: 'lenient', four_eyes: false, four_eyes_erasure: false, due_days: 5 },
    unkept: ['date_policy', 'four_eyes', 'four_eyes_erasure', 'due_days'],
    invalid: {
      date_policy: ['loose', 'INVALID_FIELD'],
      four_eyes: ['yes', 'INVALID_FIELD'],
      four_eyes_erasure: ['yes', 'INVALID_FIELD'],
      due_days: [0, 'INVALID_FIELD'],
    },
  },
  { method: 'GET', path: '/api/v1/compliance/lists', access: 'key', scope: 'compliance', success: 200 },
  {
    method: 'GET',
    path: '/api/v1/compliance/lists/{list_id}/changes',
    access: 'key',
    scope: 'compliance',
    success: 200,
    parameters: () => Promise.resolve({ list_id: 'OFAC_SDN' }),
    invalidQuery: { from: ['1999-01-01.0000', 'INVALID_FIELD'], to: ['x'.repeat(65), 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/api/v1/compliance/matches',
    access: 'key',
    scope: 'compliance',
    success: 200,
    invalidQuery: { assigned_to: ['vera', 'INVALID_FIELD'] },
  },
  { method: 'GET', path: '/api/v1/compliance/matches/summary', access: 'key', scope: 'compliance', success: 200 },
  {
    method: 'GET',
    path: '/api/v1/compliance/matches/{match_id}',
    access: 'key',
    scope: 'compliance',
    success: 200,
    parameters: match,
  },
  {
    method: 'GET',
    path: '/api/v1/compliance/matches/{match_id}/file',
    access: 'key',
    scope: 'compliance',
    success: 200,
    parameters: match,
  },
  { method: 'GET', path: '/api/v1/compliance/decisions', access: 'key', scope: 'compliance', success: 200 },
  { method: 'GET', path: '/api/v1/compliance/decisions/{id}', ...own, success: 200 },
  { method: 'GET', path: '/api/v1/compliance/decisions/{id}/replay', ...own, success: 200 },
  { method: 'DELETE', path: '/api/v1/compliance/decisions/{id}', ...own, success: 204 },
  { method: 'GET', path: '/admin/decisions/{decision_id}', ...operators, success: 200 },
  { method: 'GET', path: '/admin/decisions/{decision_id}/replay', ...operators, success: 200 },
];
