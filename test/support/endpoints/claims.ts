import { eventually } from '../processes.js';
import { enquiry, person } from '../load/people.js';
import { ingestAll, type Tenant } from '../load/tenants.js';
import { type Endpoint, type Sent } from './endpoint.js';
import { type Owner, type World } from './world.js';

type Parameters = Promise<Readonly<Record<string, string>>>;

let people = 60_000;

/** A person is claimed once in 30 days, so each claim is about another one. */
const nextPerson = () => person((people += 1));

const APPROVAL = { fields: ['full_name', 'tier'] };

/** A new claim of one tenant on a new identity of the other, which has heard of it. */
const claimed = async (asker: Tenant, holder: Tenant, { http }: World): Promise<string> => {
  const who = nextPerson();
  await ingestAll(http, holder, [who]);
  const body = { ...enquiry(who), purpose: 'onboarding' };
  const { json } = await http.expect(202, { path: '/api/v1/claims', apiKey: asker.apiKey, body });
  const id = String(json['claim_id']);
  await eventually('a claim at its holder', async () => {
    const { status } = await http.send({ path: `/api/v1/claims/${id}`, apiKey: holder.apiKey });
    return status === 200;
  });
  return id;
};

/** A claim that this owner may approve. */
const heldClaim = async (owner: Owner, world: World): Parameters => ({
  id: await claimed(await world.newTenant(1), owner, world),
});

/** A claim of this owner that was approved. */
const approvedClaim = async (owner: Owner, world: World): Parameters => {
  const holder = await world.newTenant();
  const id = await claimed(owner, holder, world);
  await world.http.expect(200, { path: `/api/v1/claims/${id}/approve`, apiKey: holder.apiKey, body: APPROVAL });
  await eventually('the approval of a claim', async () => {
    const { status } = await world.http.send({ path: `/api/v1/claims/${id}/record`, apiKey: owner.apiKey });
    return status === 200;
  });
  return { id };
};

const listedClaim = async ({ answer, call: { apiKey }, world: { http } }: Sent) => {
  const path = `/api/v1/claims/${String(answer.json['claim_id'])}`;
  return eventually('a claim', async () => {
    const { status, json } = await http.send({ path, apiKey });
    return status === 200 && json;
  });
};

const KEY = { access: 'key', scope: 'data' } as const;

export const claimEndpoints: readonly Endpoint[] = [
  {
    ...KEY,
    method: 'POST',
    path: '/api/v1/claims',
    success: 202,
    charged: true,
    get body() {
      return { ...enquiry(nextPerson()), purpose: 'fraud_investigation' };
    },
    givenBack: listedClaim,
    unkept: ['email', 'phone_number'],
    required: ['email', 'phone_number', 'purpose'],
    invalid: {
      email: ['nobody', 'INVALID_EMAIL'],
      phone_number: ['0123', 'INVALID_PHONE'],
      purpose: ['curiosity', 'INVALID_FIELD'],
    },
  },
  {
    ...KEY,
    method: 'GET',
    path: '/api/v1/claims',
    success: 200,
    invalidQuery: {
      role: ['both', 'INVALID_FIELD'],
      limit: ['101', 'INVALID_FIELD'],
      offset: ['-1', 'INVALID_FIELD'],
    },
  },
  { ...KEY, method: 'GET', path: '/api/v1/claims/{id}', success: 200, parameters: heldClaim },
  {
    ...KEY,
    method: 'POST',
    path: '/api/v1/claims/{id}/approve',
    success: 200,
    parameters: heldClaim,
    body: APPROVAL,
    givenBack: listedClaim,
    required: ['fields'],
    invalid: { fields: [['shoe_size'], 'INVALID_FIELD'] },
  },
  { ...KEY, method: 'POST', path: '/api/v1/claims/{id}/reject', success: 200, parameters: heldClaim },
  { ...KEY, method: 'GET', path: '/api/v1/claims/{id}/record', success: 200, parameters: approvedClaim },
];
