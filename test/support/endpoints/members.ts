import { randomUUID } from 'node:crypto';
import { type Json } from '../load/http.js';
import { type Endpoint, type Sent } from './endpoint.js';
import { type Owner, type World } from './world.js';

const listed = async ({ apiKey }: Pick<Owner, 'apiKey'>, { http }: World): Promise<readonly Json[]> =>
  (await http.expect(200, { path: '/api/v1/members', apiKey })).json['members'] as Json[];

/** As the account's list has it: operators' answers name the account in the path. */
const kept = async ({ answer, call, world }: Sent): Promise<Json> => {
  const id = answer.json['member_id'];
  const path = call.path.slice(0, call.path.indexOf('/members')) + '/members';
  const { json } = await world.http.expect(200, { path, apiKey: call.apiKey, token: call.token });
  return (json['members'] as Json[]).find((member) => member['member_id'] === id) ?? {};
};

const EMAIL = 'vera@example.org';

/** An account has each address once. */
const withoutVera = async (owner: Owner, world: World): Promise<void> => {
  for (const { email, member_id: id } of await listed(owner, world)) {
    const path = `/api/v1/members/${String(id)}`;
    if (email === EMAIL) await world.http.expect(204, { method: 'DELETE', path, apiKey: owner.apiKey });
  }
};

const invited = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  const body = { email: `${randomUUID()}@example.org`, name: 'A colleague', role: 'viewer' };
  const { json } = await world.http.expect(201, { path: '/api/v1/members', apiKey: owner.apiKey, body });
  return { id: owner.tenantId, member_id: String(json['member_id']) };
};

const ofAccount = (owner: Owner): Promise<Record<string, string>> => Promise.resolve({ id: owner.tenantId });

const INVITING = {
  before: withoutVera,
  body: { email: EMAIL, name: 'Vera Officer', role: 'officer' },
  givenBack: kept,
  required: ['email', 'name', 'role'],
  invalid: { email: ['vera', 'INVALID_EMAIL'], name: ['', 'INVALID_FIELD'], role: ['king', 'INVALID_FIELD'] },
} as const;

const CHANGING = {
  body: { name: 'Vera Senior', role: 'developer' },
  givenBack: kept,
  required: [],
  invalid: { name: ['', 'INVALID_FIELD'], role: ['king', 'INVALID_FIELD'] },
} as const;

const own = { access: 'key', scope: 'members' } as const;
const operators = { access: 'role' } as const;
const OWN = '/api/v1/members';
const OPERATORS = '/admin/accounts/{id}/members';

export const memberEndpoints: readonly Endpoint[] = [
  { ...own, method: 'GET', path: OWN, success: 200 },
  { ...own, method: 'POST', path: OWN, success: 201, ...INVITING },
  { ...own, method: 'PATCH', path: `${OWN}/{member_id}`, success: 200, parameters: invited, ...CHANGING },
  { ...own, method: 'POST', path: `${OWN}/{member_id}/invite`, success: 200, parameters: invited },
  { ...own, method: 'DELETE', path: `${OWN}/{member_id}`, success: 204, parameters: invited },
  { ...own, method: 'GET', path: '/api/v1/views', success: 200 },
  {
    ...own,
    method: 'PUT',
    path: '/api/v1/views',
    success: 200,
    body: { screen: 'matches', views: [{ name: 'Mine', query: 'assigned_to=me' }] },
    givenBack: ({ answer }) =>
      Promise.resolve((answer.json['screens'] as Json[]).find(({ screen }) => screen === 'matches') ?? {}),
    required: ['screen', 'views'],
    invalid: { screen: ['Matches!', 'INVALID_FIELD'], views: [[{ name: ' ', query: '' }], 'INVALID_FIELD'] },
  },
  { ...operators, method: 'GET', path: OPERATORS, success: 200, parameters: ofAccount },
  { ...operators, method: 'POST', path: OPERATORS, success: 201, parameters: ofAccount, ...INVITING },
  { ...operators, method: 'PATCH', path: `${OPERATORS}/{member_id}`, success: 200, parameters: invited, ...CHANGING },
  { ...operators, method: 'POST', path: `${OPERATORS}/{member_id}/invite`, success: 200, parameters: invited },
  { ...operators, method: 'DELETE', path: `${OPERATORS}/{member_id}`, success: 204, parameters: invited },
];
