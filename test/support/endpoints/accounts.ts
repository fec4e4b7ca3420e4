import { randomUUID } from 'node:crypto';
import { type Json } from '../load/http.js';
import { type Endpoint, type Sent } from './endpoint.js';
import { account, fresh } from './parameters.js';
import { type Owner } from './world.js';

/** The key's entry in the list of the account's keys. */
const listedKey = async (id: unknown, { call: { path, apiKey, token }, world: { http } }: Sent): Promise<Json> => {
  const list = path.slice(0, path.indexOf('/keys')) + '/keys';
  const { keys } = (await http.expect(200, { path: list, apiKey, token })).json as { keys: Json[] };
  return keys.find((key) => key['id'] === id) ?? {};
};

const accountOf = async (id: unknown, { call: { token }, world: { http } }: Sent): Promise<Json> =>
  (await http.expect(200, { path: `/admin/accounts/${String(id)}`, token })).json;
const sameAccount = (sent: Sent): Promise<Json> => accountOf(sent.call.path.split('/')[3], sent);

const LIMITS = { credit_cap_per_day: 500, allowed_addresses: ['192.0.2.0/24', '2001:db8::7'] };
const INVALID_LIMITS = {
  credit_cap_per_day: [0, 'INVALID_FIELD'],
  allowed_addresses: [['everywhere'], 'INVALID_FIELD'],
} as const;

const LIMITING = {
  body: LIMITS,
  givenBack: (sent: Sent) => listedKey(sent.answer.json['id'], sent),
  required: [],
  invalid: INVALID_LIMITS,
} as const;

const KEY_BODY = {
  body: { name: 'A key', scopes: ['eligibility'], expires_at: '2999-12-31T23:59:59Z', ...LIMITS },
  givenBack: (sent: Sent) => listedKey(sent.answer.json['id'], sent),
  required: ['name'],
  invalid: {
    name: ['x'.repeat(101), 'INVALID_FIELD'],
    scopes: [['everything'], 'INVALID_FIELD'],
    expires_at: ['tomorrow', 'INVALID_DATE'],
    ...INVALID_LIMITS,
  },
  refused: { expires_at: ['2020-01-01T00:00:00Z', 'INVALID_FIELD'] },
} as const;

const ROTATION = {
  body: { overlap_seconds: 60 },
  givenBack: async (sent: Sent) => {
    const former = await listedKey(sent.call.path.split('/').at(-2), sent);
    const left = Date.parse(String(former['expires_at'])) - Date.parse(String(sent.answer.json['created_at']));
    return { overlap_seconds: left / 1_000 };
  },
  required: [],
  invalid: { overlap_seconds: [-1, 'INVALID_FIELD'] },
} as const;

const ownKey = async (owner: Owner): Promise<Record<string, string>> => ({ id: (await owner.newKey()).id });
const accountAndKey = async (owner: Owner): Promise<Record<string, string>> => ({
  id: owner.tenantId,
  key_id: (await owner.newKey()).id,
});

const NAMING = {
  body: { named_in_credentials: true },
  invalid: { named_in_credentials: ['often', 'INVALID_FIELD'] },
} as const;

export const accountEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/v1/account', access: 'key', scope: 'members', success: 200 },
  {
    method: 'PATCH',
    path: '/api/v1/account',
    access: 'key',
    scope: 'members',
    success: 200,
    ...NAMING,
    givenBack: async ({ call: { apiKey }, world: { http } }) =>
      (await http.expect(200, { path: '/api/v1/account', apiKey })).json,
    required: ['named_in_credentials'],
  },
  {
    method: 'GET',
    path: '/api/v1/keys',
    access: 'key',
    scope: 'keys',
    success: 200,
    invalidQuery: { unused_days: ['0', 'INVALID_FIELD'] },
  },
  { method: 'POST', path: '/api/v1/keys', access: 'key', scope: 'keys', success: 201, ...KEY_BODY },
  {
    method: 'POST',
    path: '/api/v1/keys/{id}/rotate',
    access: 'key',
    scope: 'keys',
    success: 201,
    parameters: ownKey,
    ...ROTATION,
  },
  {
    method: 'PATCH',
    path: '/api/v1/keys/{id}',
    access: 'key',
    scope: 'keys',
    success: 200,
    parameters: ownKey,
    ...LIMITING,
  },
  { method: 'DELETE', path: '/api/v1/keys/{id}', access: 'key', scope: 'keys', success: 204, parameters: ownKey },
  {
    method: 'POST',
    path: '/admin/accounts',
    access: 'role',
    success: 201,
    body: {
      name: 'Bank of Examples',
      contact_email: 'kyc@example.org',
      tier: 'growth',
      owner_name: 'First Owner',
      owner_email: 'owner@example.org',
    },
    givenBack: (sent) => accountOf(sent.answer.json['tenant_id'], sent),
    sealed: ['owner_name', 'owner_email'],
    required: ['name', 'contact_email'],
    invalid: {
      name: ['', 'INVALID_FIELD'],
      contact_email: ['nobody', 'INVALID_EMAIL'],
      tier: ['platinum', 'INVALID_FIELD'],
      owner_name: ['', 'INVALID_FIELD'],
      owner_email: ['owner', 'INVALID_EMAIL'],
    },
  },
  {
    method: 'GET',
    path: '/admin/accounts',
    access: 'role',
    success: 200,
    invalidQuery: { limit: ['0', 'INVALID_FIELD'], offset: ['x', 'INVALID_FIELD'], q: [' ', 'INVALID_FIELD'] },
  },
  { method: 'GET', path: '/admin/accounts/{id}', access: 'role', success: 200, parameters: account },
  {
    method: 'PATCH',
    path: '/admin/accounts/{id}',
    access: 'role',
    success: 200,
    parameters: fresh,
    body: {
      name: 'Another Bank of Examples',
      tier: 'enterprise',
      rate_limit_per_minute: 500,
      burst_per_second: 100,
      contact_email: 'kyc@example.org',
      alert_thresholds: [10],
    },
    givenBack: sameAccount,
    required: [],
    invalid: {
      name: ['', 'INVALID_FIELD'],
      tier: ['gold', 'INVALID_FIELD'],
      rate_limit_per_minute: [0, 'INVALID_FIELD'],
      burst_per_second: [1.5, 'INVALID_FIELD'],
      contact_email: ['@', 'INVALID_EMAIL'],
      alert_thresholds: [[101], 'INVALID_FIELD'],
    },
  },
  {
    method: 'POST',
    path: '/admin/accounts/{id}/suspend',
    access: 'role',
    success: 200,
    parameters: fresh,
    body: { reason: 'Suspended at the wish of the tenant' },
    givenBack: async (sent) => ({ reason: (await sameAccount(sent))['suspension_reason'] }),
    required: ['reason'],
    invalid: { reason: [[], 'INVALID_FIELD'] },
  },
  {
    method: 'POST',
    path: '/admin/accounts/{id}/reinstate',
    access: 'role',
    success: 200,
    parameters: async (owner, world) => {
      const parameters = await fresh(owner, world);
      await world.http.expect(200, {
        path: `/admin/accounts/${parameters['id'] ?? ''}/suspend`,
        token: world.admin,
        body: { reason: 'To be reinstated' },
      });
      return parameters;
    },
    body: { reason: 'Reinstated at the wish of the tenant' },
    sealed: ['reason'],
    required: [],
    invalid: { reason: ['', 'INVALID_FIELD'] },
  },
  {
    method: 'POST',
    path: '/admin/accounts/{id}/distrust',
    access: 'role',
    success: 200,
    parameters: fresh,
    body: { reason: 'Its onboarding was bribed' },
    sealed: ['reason'],
    required: ['reason'],
    invalid: { reason: ['', 'INVALID_FIELD'] },
  },
  {
    method: 'POST',
    path: '/admin/accounts/{id}/trust',
    access: 'role',
    success: 200,
    parameters: async (owner, world) => {
      const parameters = await fresh(owner, world);
      await world.http.expect(200, {
        path: `/admin/accounts/${parameters['id'] ?? ''}/distrust`,
        token: world.admin,
        body: { reason: 'To be trusted again' },
      });
      return parameters;
    },
    body: { reason: 'Its onboarding was audited anew' },
    sealed: ['reason'],
    required: ['reason'],
    invalid: { reason: ['', 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/admin/accounts/{id}/keys',
    access: 'role',
    success: 200,
    parameters: account,
    invalidQuery: { unused_days: ['0', 'INVALID_FIELD'] },
  },
  { method: 'POST', path: '/admin/accounts/{id}/keys', access: 'role', success: 201, parameters: account, ...KEY_BODY },
  {
    method: 'POST',
    path: '/admin/accounts/{id}/keys/{key_id}/rotate',
    access: 'role',
    success: 201,
    parameters: accountAndKey,
    ...ROTATION,
  },
  {
    method: 'PATCH',
    path: '/admin/accounts/{id}/keys/{key_id}',
    access: 'role',
    success: 200,
    parameters: accountAndKey,
    ...LIMITING,
  },
  {
    method: 'DELETE',
    path: '/admin/accounts/{id}/keys/{key_id}',
    access: 'role',
    success: 204,
    parameters: accountAndKey,
  },
  {
    method: 'GET',
    path: '/admin/accounts/{id}/proposals',
    access: 'role',
    success: 200,
    parameters: account,
  },
  ...['approve', 'reject'].map((answer): Endpoint => ({
    method: 'POST',
    path: `/admin/accounts/{id}/proposals/{proposal_id}/${answer}`,
    access: 'role',
    // Nothing is proposed where one operator does.
    success: 404,
    parameters: (owner) => Promise.resolve({ id: owner.tenantId, proposal_id: randomUUID() }),
  })),
];
