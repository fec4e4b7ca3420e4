import { type Call } from '../load/http.js';
import { enquiry, person } from '../load/people.js';
import { deletedIdentity, failedIngestion, freshIdentity } from './identities.js';
import { type Owner, type World } from './world.js';

export type Access = 'key' | 'role' | 'public' | 'unlimited';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As the OpenAPI document writes it. */
  readonly path: string;
  readonly access: Access;
  /** Of a key that may call it. */
  readonly scope?: string;
  /** Of operators who may call it beside `admin`; default `support` where it only reads. */
  readonly roles?: readonly ('support' | 'security')[];
  /** Status of a call that succeeds. */
  readonly success: number;
  readonly charged?: true;
  /** What fills the path's parameters: something of this owner's. */
  readonly parameters?: (owner: Owner, world: World) => Promise<Readonly<Record<string, string>>>;
  readonly headers?: (world: World) => Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  /** A value that the field does not take, and the code that says so. */
  readonly invalid?: Readonly<Record<string, readonly [value: unknown, code: string]>>;
  /** The same for a value that is valid by itself and refused by the operation. */
  readonly refused?: Readonly<Record<string, readonly [value: unknown, code: string]>>;
  /** The same for the query. */
  readonly invalidQuery?: Readonly<Record<string, readonly [value: string, code: string]>>;
}

const PERSON = person(3);

const RECORD: Endpoint = {
  method: 'POST',
  path: '/api/v1/ingest',
  access: 'key',
  scope: 'ingest',
  success: 202,
  body: {
    ...PERSON,
    kyc_status: 'APPROVED',
    tier: 'Tier3',
    document_reference: 'passport P1234567',
    data_source_id: 'branch-7',
    kyc_expires_at: '2999-12-31T23:59:59Z',
    extra_data: { anything: ['goes', { here: true }] },
  },
  required: ['email', 'phone_number', 'full_name', 'kyc_status'],
  invalid: {
    email: ['nobody', 'INVALID_EMAIL'],
    phone_number: ['0123456789', 'INVALID_PHONE'],
    full_name: [' ', 'INVALID_FIELD'],
    date_of_birth: ['2999-01-01', 'INVALID_DATE'],
    kyc_status: ['approved', 'INVALID_FIELD'],
    tier: ['Tier4', 'INVALID_FIELD'],
    document_reference: ['x'.repeat(513), 'INVALID_FIELD'],
    data_source_id: [7, 'INVALID_FIELD'],
    kyc_expires_at: ['2999-12-31', 'INVALID_DATE'],
    extra_data: [{ text: 'x'.repeat(17_000) }, 'INVALID_FIELD'],
  },
};

const KEY_BODY = {
  body: { name: 'A key', scopes: ['eligibility'], expires_at: '2999-12-31T23:59:59Z' },
  required: ['name'],
  invalid: {
    name: ['x'.repeat(101), 'INVALID_FIELD'],
    scopes: [['everything'], 'INVALID_FIELD'],
    expires_at: ['tomorrow', 'INVALID_DATE'],
  },
  refused: { expires_at: ['2020-01-01T00:00:00Z', 'INVALID_FIELD'] },
} as const;

const ROTATION = {
  body: { overlap_seconds: 60 },
  required: [],
  invalid: { overlap_seconds: [-1, 'INVALID_FIELD'] },
} as const;

const ownKey = async (owner: Owner): Promise<Record<string, string>> => ({ id: (await owner.newKey()).id });
const account = (owner: Owner): Promise<Record<string, string>> => Promise.resolve({ id: owner.tenantId });
const fresh = async (_owner: Owner, world: World): Promise<Record<string, string>> => ({
  id: (await world.newTenant()).tenantId,
});
const accountAndKey = async (owner: Owner): Promise<Record<string, string>> => ({
  id: owner.tenantId,
  key_id: (await owner.newKey()).id,
});

const tenantEndpoints: readonly Endpoint[] = [
  RECORD,
  {
    method: 'POST',
    path: '/api/v1/ingest/batch',
    access: 'key',
    scope: 'ingest',
    success: 202,
    body: { records: [{ ...PERSON, kyc_status: 'APPROVED' }] },
    required: ['records'],
    invalid: { records: ['all of them', 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/api/v1/ingest/{ingestionId}',
    access: 'key',
    scope: 'ingest',
    success: 200,
    parameters: (owner) => Promise.resolve({ ingestionId: owner.ingestionId }),
  },
  {
    method: 'POST',
    path: '/api/v1/ingest/{ingestionId}/retry',
    access: 'key',
    scope: 'ingest',
    success: 202,
    parameters: failedIngestion,
  },
  { method: 'GET', path: '/api/v1/identities', access: 'key', scope: 'data', success: 200, query: enquiry(PERSON) },
  {
    method: 'GET',
    path: '/api/v1/identity/{id}',
    access: 'key',
    scope: 'data',
    success: 200,
    parameters: freshIdentity,
  },
  {
    method: 'DELETE',
    path: '/api/v1/identity/{id}',
    access: 'key',
    scope: 'data',
    success: 202,
    parameters: freshIdentity,
  },
  {
    method: 'POST',
    path: '/api/v1/identity/{id}/restore',
    access: 'key',
    scope: 'data',
    success: 200,
    parameters: deletedIdentity,
  },
  {
    // There is a certificate 30 days after a deletion: that it is answered then is shown where a clock can be moved.
    method: 'GET',
    path: '/api/v1/identity/{id}/erasure-certificate',
    access: 'key',
    scope: 'data',
    success: 404,
    parameters: deletedIdentity,
  },
  { method: 'GET', path: '/api/v1/compliance/retention', access: 'key', scope: 'compliance', success: 200 },
  {
    method: 'POST',
    path: '/api/v1/check-eligibility',
    access: 'key',
    scope: 'eligibility',
    success: 200,
    charged: true,
    body: enquiry(PERSON),
    required: ['email', 'phone_number'],
    invalid: { email: [{}, 'INVALID_EMAIL'], phone_number: ['+1 202 555 0123', 'INVALID_PHONE'] },
  },
  {
    method: 'GET',
    path: '/api/v1/compliance/audit-log',
    access: 'key',
    scope: 'compliance',
    success: 200,
    invalidQuery: {
      start_date: ['yesterday', 'INVALID_DATE'],
      end_date: ['2026-02-29', 'INVALID_DATE'],
      action: ['looked', 'INVALID_FIELD'],
      limit: ['1001', 'INVALID_FIELD'],
      offset: ['-1', 'INVALID_FIELD'],
    },
  },
  { method: 'GET', path: '/billing/credits', access: 'key', scope: 'billing', success: 200 },
  { method: 'GET', path: '/api/v1/billing/credits', access: 'key', scope: 'billing', success: 200 },
  { method: 'GET', path: '/api/v1/keys', access: 'key', scope: 'keys', success: 200 },
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
  { method: 'DELETE', path: '/api/v1/keys/{id}', access: 'key', scope: 'keys', success: 204, parameters: ownKey },
];

const operatorEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/admin/accounts',
    access: 'role',
    success: 201,
    body: { name: 'Bank of Examples', contact_email: 'kyc@example.org', tier: 'growth' },
    required: ['name', 'contact_email'],
    invalid: {
      name: ['', 'INVALID_FIELD'],
      contact_email: ['nobody', 'INVALID_EMAIL'],
      tier: ['platinum', 'INVALID_FIELD'],
    },
  },
  {
    method: 'GET',
    path: '/admin/accounts',
    access: 'role',
    success: 200,
    invalidQuery: { limit: ['0', 'INVALID_FIELD'], offset: ['x', 'INVALID_FIELD'] },
  },
  { method: 'GET', path: '/admin/accounts/{id}', access: 'role', success: 200, parameters: account },
  {
    method: 'PATCH',
    path: '/admin/accounts/{id}',
    access: 'role',
    success: 200,
    parameters: fresh,
    body: {
      rate_limit_per_minute: 500,
      burst_per_second: 100,
      contact_email: 'kyc@example.org',
      alert_thresholds: [10],
    },
    required: [],
    invalid: {
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
    body: { reason: 'Asked by the tenant' },
    required: [],
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
        body: {},
      });
      return parameters;
    },
    body: { reason: 'Asked by the tenant' },
    required: [],
    invalid: { reason: ['', 'INVALID_FIELD'] },
  },
  {
    method: 'POST',
    path: '/admin/accounts/{id}/credits',
    access: 'role',
    success: 200,
    parameters: fresh,
    body: { amount: 5, reason: 'A gift' },
    required: ['amount', 'reason'],
    invalid: { amount: [0, 'INVALID_FIELD'], reason: ['', 'INVALID_FIELD'] },
  },
  { method: 'GET', path: '/admin/accounts/{id}/keys', access: 'role', success: 200, parameters: account },
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
    method: 'DELETE',
    path: '/admin/accounts/{id}/keys/{key_id}',
    access: 'role',
    success: 204,
    parameters: accountAndKey,
  },
];

const operatorLog: Endpoint = {
  method: 'GET',
  path: '/admin/audit-log',
  access: 'role',
  roles: ['security'],
  success: 200,
  invalidQuery: {
    start_date: ['yesterday', 'INVALID_DATE'],
    end_date: ['2026-02-29', 'INVALID_DATE'],
    action: [' ', 'INVALID_FIELD'],
    tenant_id: ['', 'INVALID_FIELD'],
    limit: ['1001', 'INVALID_FIELD'],
    from: ['-1', 'INVALID_FIELD'],
  },
};

const publicEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/billing/pricing', access: 'public', success: 200 },
  { method: 'GET', path: '/api/v1/billing/pricing', access: 'public', success: 200 },
  {
    method: 'POST',
    path: '/dev/token',
    access: 'public',
    headers: ({ http }) => ({ 'x-dev-secret': http.devSecret }),
    success: 200,
    body: { roles: ['support'], scope: 'credentials:issue' },
    required: [],
    invalid: { roles: [['root'], 'INVALID_FIELD'], scope: [1, 'INVALID_FIELD'] },
  },
  { method: 'GET', path: '/.well-known/jwks.json', access: 'public', success: 200 },
  { method: 'GET', path: '/dev/jwks.json', access: 'public', success: 200 },
  { method: 'GET', path: '/health/live', access: 'unlimited', success: 200 },
  { method: 'GET', path: '/health/ready', access: 'unlimited', success: 200 },
  { method: 'GET', path: '/metrics', access: 'role', roles: ['support', 'security'], success: 200 },
];

/** Every endpoint, with what a test needs to call it well or badly. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...tenantEndpoints,
  ...operatorEndpoints,
  operatorLog,
  ...publicEndpoints,
];

/** Paths that the OpenAPI document does not list: itself and its readable form. */
export const DOCUMENTATION = ['/openapi.json', '/docs'] as const;

export const titleOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

export const pathOf = ({ path }: Endpoint, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? 'missing');

const queryOf = ({ query }: Endpoint): string =>
  query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;

/** Which roles beside `admin` open a path for operators. */
export const rolesOf = ({ method, roles }: Endpoint): readonly string[] =>
  roles ?? (method === 'GET' ? ['support'] : []);

/** A call with nothing wrong, by this owner or, on operators' paths, by an administrator about this owner. */
export const goodCall = async (endpoint: Endpoint, world: World, owner: Owner = world.owner): Promise<Call> => ({
  method: endpoint.method,
  path: pathOf(endpoint, (await endpoint.parameters?.(owner, world)) ?? {}) + queryOf(endpoint),
  ...(endpoint.access === 'key' ? { apiKey: owner.apiKey } : {}),
  ...(endpoint.access === 'role' ? { token: world.admin } : {}),
  ...(endpoint.headers === undefined ? {} : { headers: endpoint.headers(world) }),
  ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
});
