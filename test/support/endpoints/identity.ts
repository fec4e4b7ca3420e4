import { randomUUID } from 'node:crypto';
import { enquiry, type Person, person } from '../load/people.js';
import { type Json } from '../load/http.js';
import { type Endpoint, type Sent } from './endpoint.js';
import { deletedIdentity, failedIngestion, freshIdentity } from './identities.js';
import { type Owner, type World } from './world.js';

/** The person in the bodies and queries of the table. */
export const PERSON = person(3);
export const SOMEBODY = person(4);

/** A person's identity, read with the caller's key. */
const identityOf = async (who: Person, { call: { apiKey }, world: { http } }: Sent): Promise<Json> => {
  const path = `/api/v1/identities?${new URLSearchParams(enquiry(who)).toString()}`;
  const [found] = (await http.expect(200, { path, apiKey })).json['identities'] as { identity_id: string }[];
  return (await http.expect(200, { path: `/api/v1/identity/${found?.identity_id ?? ''}`, apiKey })).json;
};

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
    external_id: 'customer-4711',
    kyc_expires_at: '2999-12-31T23:59:59Z',
    extra_data: { anything: ['goes', { here: true }] },
  },
  givenBack: (sent) => identityOf(PERSON, sent),
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
    external_id: ['x'.repeat(129), 'INVALID_FIELD'],
    kyc_expires_at: ['2999-12-31', 'INVALID_DATE'],
    extra_data: [{ text: 'x'.repeat(17_000) }, 'INVALID_FIELD'],
  },
};

const ANSWER = {
  body: { reason: 'The person is known here', proposal_id: randomUUID() },
  sealed: ['reason'],
  unkept: ['proposal_id'],
  required: ['reason', 'proposal_id'],
  invalid: { reason: ['x'.repeat(501), 'INVALID_FIELD'], proposal_id: ['1', 'INVALID_FIELD'] },
} as const;

/** By a key that an operator made, which no one else holds. */
const proposedErasure = async (owner: Owner, world: World): Promise<Readonly<Record<string, string>>> => {
  const { http, admin: token } = world;
  const found = await freshIdentity(owner, world);
  const key = { path: `/admin/accounts/${owner.tenantId}/keys`, token, body: { name: 'Another officer' } };
  const apiKey = String((await http.expect(201, key)).json['api_key']);
  const askTwo = (four_eyes_erasure: boolean): Promise<unknown> => {
    const call = { method: 'PATCH', path: '/api/v1/compliance/review', apiKey: owner.apiKey } as const;
    return http.expect(200, { ...call, body: { four_eyes_erasure } });
  };
  await askTwo(true);
  const path = `/api/v1/identity/${found['id'] ?? ''}/erase`;
  await http.expect(202, { path, apiKey, body: { reason: 'Asked for it' } });
  await askTwo(false);
  const { json } = await http.expect(200, { path, apiKey });
  return { ...found, proposal_id: String(json['proposal_id']) };
};

export const identityEndpoints: readonly Endpoint[] = [
  RECORD,
  {
    method: 'POST',
    path: '/api/v1/ingest/batch',
    access: 'key',
    scope: 'ingest',
    success: 202,
    body: { records: [{ ...RECORD.body, ...SOMEBODY, tier: 'Tier2' }] },
    givenBack: async (sent) => ({ records: [await identityOf(SOMEBODY, sent)] }),
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
    method: 'GET',
    path: '/api/v1/ingest/{ingestionId}/records',
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
  {
    method: 'GET',
    path: '/api/v1/ingest',
    access: 'key',
    scope: 'ingest',
    success: 200,
    invalidQuery: {
      status: ['lost', 'INVALID_FIELD'],
      limit: ['0', 'INVALID_FIELD'],
      cursor: ['yesterday', 'INVALID_FIELD'],
    },
  },
  {
    method: 'GET',
    path: '/api/v1/identity',
    access: 'key',
    scope: 'data',
    success: 200,
    invalidQuery: {
      status: ['lost', 'INVALID_FIELD'],
      identity_id: ['theirs', 'INVALID_FIELD'],
      limit: ['0', 'INVALID_FIELD'],
      cursor: ['idn_1', 'INVALID_FIELD'],
    },
  },
  { method: 'GET', path: '/api/v1/identities', access: 'key', scope: 'data', success: 200, query: enquiry(PERSON) },
  {
    method: 'POST',
    path: '/api/v1/identities/search',
    access: 'key',
    scope: 'data',
    success: 200,
    body: enquiry(PERSON),
    unkept: ['email', 'phone_number'],
    required: ['email', 'phone_number'],
    invalid: { email: [{}, 'INVALID_EMAIL'], phone_number: ['+1 202 555 0123', 'INVALID_PHONE'] },
  },
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
    path: '/api/v1/identity/{id}/erase',
    access: 'key',
    scope: 'data',
    success: 202,
    parameters: freshIdentity,
    body: { reason: 'asked for it by e-mail' },
    sealed: ['reason'],
    required: ['reason'],
    invalid: { reason: ['x'.repeat(501), 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/api/v1/identity/{id}/erase',
    access: 'key',
    scope: 'data',
    success: 200,
    parameters: proposedErasure,
  },
  {
    method: 'GET',
    path: '/api/v1/identity/{id}/life',
    access: 'key',
    scope: 'data',
    success: 200,
    parameters: freshIdentity,
    invalidQuery: { limit: ['0', 'INVALID_FIELD'] },
  },
  {
    method: 'POST',
    path: '/api/v1/identity/{id}/erase/approve',
    access: 'key',
    scope: 'data',
    success: 202,
    parameters: proposedErasure,
    ...ANSWER,
  },
  {
    method: 'POST',
    path: '/api/v1/identity/{id}/erase/reject',
    access: 'key',
    scope: 'data',
    success: 200,
    parameters: proposedErasure,
    ...ANSWER,
  },
  {
    method: 'POST',
    path: '/admin/erasures',
    access: 'role',
    roles: [],
    success: 202,
    body: { ...enquiry(person(91_377)), reason: 'wrote to us' },
    sealed: ['reason'],
    unkept: ['email', 'phone_number'],
    required: ['email', 'phone_number', 'reason'],
    invalid: {
      email: ['nobody', 'INVALID_EMAIL'],
      phone_number: ['0123456789', 'INVALID_PHONE'],
      reason: ['', 'INVALID_FIELD'],
    },
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
    // The certificate exists only 30 days after a deletion. Tests with a movable clock show its response.
    method: 'GET',
    path: '/api/v1/identity/{id}/erasure-certificate',
    access: 'key',
    scope: 'data',
    success: 404,
    parameters: deletedIdentity,
  },
  { method: 'GET', path: '/api/v1/compliance/retention', access: 'key', scope: 'compliance', success: 200 },
  { method: 'GET', path: '/api/v1/compliance/retention/preview', access: 'key', scope: 'compliance', success: 200 },
  {
    method: 'POST',
    path: '/api/v1/check-eligibility',
    access: 'key',
    scope: 'eligibility',
    success: 200,
    charged: true,
    body: enquiry(PERSON),
    unkept: ['email', 'phone_number'],
    required: ['email', 'phone_number'],
    invalid: { email: [{}, 'INVALID_EMAIL'], phone_number: ['+1 202 555 0123', 'INVALID_PHONE'] },
  },
];
