import { askedBy, presentTo } from '@kyc/tools/wallet/presentation';
import { PidIssuer } from '../pid-issuer.js';
import { CompactEncrypt, importJWK } from 'jose';
import { applicationOf } from '../credentials.js';
import { type Json } from '../load/http.js';
import { person } from '../load/people.js';
import { type Endpoint } from './endpoint.js';
import { type Owner, type World } from './world.js';

/** Attested in every world. */
const ATTESTED = person(1);

const PRE_AUTHORIZED = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
const FORM = 'kyc_credential_jwt';

const newOffer = async ({ bearer }: Owner, { http }: World, more: Json = {}): Promise<Json> => {
  const body = { ...applicationOf(ATTESTED), ...more };
  return (await http.expect(201, { path: '/api/v1/issue/offer', token: bearer, body })).json;
};

const referenceOf = (offer: Json): string =>
  new URL(String(offer['credential_offer_uri'])).pathname.split('/')[3] ?? '';

const codeOf = async (offer: Json, { http }: World): Promise<string> => {
  const { json } = await http.expect(200, { path: `/openid4vci/offers/${referenceOf(offer)}` });
  return (json['grants'] as Record<string, Json>)[PRE_AUTHORIZED]?.['pre-authorized_code'] as string;
};

const accessOf = async (owner: Owner, world: World): Promise<string> => {
  const body = { grant_type: PRE_AUTHORIZED, 'pre-authorized_code': await codeOf(await newOffer(owner, world), world) };
  return (await world.http.expect(200, { path: '/openid4vci/token', body })).json['access_token'] as string;
};

/** Of the credential that was fetched last: a notice needs the access that fetched it. */
const fetched = async (owner: Owner, world: World): Promise<{ access: string; notice: string }> => {
  const access = await accessOf(owner, world);
  const body = { credential_configuration_id: FORM };
  const { json } = await world.http.expect(200, { path: '/openid4vci/credential', token: access, body });
  return { access, notice: json['notification_id'] as string };
};

let last: Promise<{ access: string; notice: string }>;

/** A request to show a claim, and an answer that shows nothing of ours: what it holds is judged, not refused. */
const answered = async ({ apiKey }: Owner, { http }: World): Promise<Readonly<Record<string, string>>> => {
  const { json } = await http.expect(201, { path: '/api/v1/verify/request', apiKey, body: { claims: ['tier'] } });
  const { dcql_query: query, client_metadata: metadata } = await askedBy(String(json['deep_link']));
  const shown = new TextEncoder().encode(JSON.stringify({ vp_token: { [query.credentials[0]?.id ?? '']: ['a~b~'] } }));
  const response = await new CompactEncrypt(shown)
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
    .encrypt(await importJWK(metadata.jwks.keys[0] ?? {}, 'ECDH-ES'));
  return { presentation_id: json['presentation_id'] as string, response };
};

/** A request for a PID that a wallet answered. */
const identified = async ({ apiKey }: Owner, { http }: World): Promise<Readonly<Record<string, string>>> => {
  const body = { credential: 'pid', claims: ['given_name', 'family_name', 'birthdate'] };
  const { json } = await http.expect(201, { path: '/api/v1/verify/request', apiKey, body });
  const issuer = await PidIssuer.start();
  try {
    await presentTo(await issuer.issue(), String(json['deep_link']));
  } finally {
    await issuer.stop();
  }
  return { presentation_id: json['presentation_id'] as string };
};

const byOffer = {
  access: 'key',
  scope: 'credentials',
  success: 200,
  parameters: async (owner: Owner, world: World) => ({ offer_id: String((await newOffer(owner, world))['offer_id']) }),
} as const;

export const walletEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/issue/offer',
    access: 'token',
    success: 201,
    charged: 10,
    body: { ...applicationOf(ATTESTED), tx_code: true },
    unkept: ['email', 'phone_number', 'full_name', 'dob', 'tier', 'tx_code'],
    required: ['email', 'phone_number', 'full_name', 'dob'],
    invalid: {
      email: ['nobody', 'INVALID_EMAIL'],
      phone_number: ['0123456789', 'INVALID_PHONE'],
      full_name: [' ', 'INVALID_FIELD'],
      dob: ['2999-01-01', 'INVALID_DATE'],
      tier: ['Tier4', 'INVALID_FIELD'],
      tx_code: ['yes', 'INVALID_FIELD'],
    },
  },
  {
    method: 'GET',
    path: '/api/v1/offers',
    access: 'key',
    scope: 'credentials',
    success: 200,
    invalidQuery: {
      status: ['lost', 'INVALID_FIELD'],
      limit: ['101', 'INVALID_FIELD'],
      offset: ['-1', 'INVALID_FIELD'],
    },
  },
  { method: 'GET', path: '/api/v1/offers/{offer_id}', ...byOffer },
  { method: 'POST', path: '/api/v1/offers/{offer_id}/withdraw', ...byOffer },
  {
    method: 'GET',
    path: '/openid4vci/offers/{reference}',
    access: 'public',
    success: 200,
    parameters: async (owner, world) => ({ reference: referenceOf(await newOffer(owner, world)) }),
  },
  {
    method: 'POST',
    path: '/openid4vci/token',
    access: 'public',
    success: 200,
    body: { grant_type: PRE_AUTHORIZED, 'pre-authorized_code': '', tx_code: '' },
    parameters: async (owner, world) => {
      const offer = await newOffer(owner, world, { tx_code: true });
      return { 'pre-authorized_code': await codeOf(offer, world), tx_code: String(offer['tx_code']) };
    },
    standard: true,
    unkept: ['grant_type', 'pre-authorized_code', 'tx_code'],
  },
  { method: 'POST', path: '/openid4vci/nonce', access: 'public', success: 200 },
  {
    method: 'POST',
    path: '/openid4vci/credential',
    access: 'public',
    success: 200,
    bearer: accessOf,
    body: { credential_configuration_id: FORM, proofs: { jwt: ['eyJ.e30.c2ln'] } },
    standard: true,
    unkept: ['credential_configuration_id', 'proofs'],
  },
  {
    method: 'POST',
    path: '/openid4vci/notification',
    access: 'public',
    success: 204,
    before: (owner, world) => (last = fetched(owner, world)),
    bearer: async () => (await last).access,
    parameters: async () => ({ notification_id: (await last).notice }),
    body: { notification_id: '', event: 'credential_accepted', event_description: 'Kept' },
    standard: true,
    unkept: ['notification_id', 'event', 'event_description'],
  },
  {
    method: 'POST',
    path: '/api/v1/verify/request',
    access: 'key',
    scope: 'credentials',
    success: 201,
    body: { credential: 'attestation', claims: ['tier'] },
    unkept: ['credential', 'claims'],
    required: ['claims'],
    invalid: { credential: ['passport', 'INVALID_FIELD'], claims: [['birth_date'], 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/api/v1/verify/request/{presentation_id}',
    access: 'key',
    scope: 'credentials',
    success: 200,
    parameters: async ({ apiKey }, { http }) => {
      const { json } = await http.expect(201, { path: '/api/v1/verify/request', apiKey, body: { claims: ['tier'] } });
      return { presentation_id: json['presentation_id'] as string };
    },
  },
  {
    method: 'POST',
    path: '/api/v1/verify/request/{presentation_id}/ingest',
    access: 'key',
    scope: 'ingest',
    success: 202,
    parameters: identified,
    body: {
      email: 'maria.pid@example.org',
      phone_number: '+4930123456780',
      kyc_status: 'APPROVED',
      tier: 'Tier2',
      data_source_id: 'wallet-desk',
      external_id: 'pid-1',
      kyc_expires_at: '2999-12-31T23:59:59Z',
    },
    unkept: ['email', 'phone_number', 'kyc_status', 'tier', 'data_source_id', 'external_id', 'kyc_expires_at'],
    required: ['kyc_status'],
    invalid: {
      email: ['nobody', 'INVALID_EMAIL'],
      phone_number: ['0123456789', 'INVALID_PHONE'],
      kyc_status: ['MAYBE', 'INVALID_FIELD'],
      tier: ['Tier9', 'INVALID_FIELD'],
      data_source_id: ['', 'INVALID_FIELD'],
      external_id: ['x'.repeat(129), 'INVALID_FIELD'],
      kyc_expires_at: ['tomorrow', 'INVALID_DATE'],
    },
  },
  {
    method: 'GET',
    path: '/openid4vp/requests/{presentation_id}',
    access: 'public',
    success: 200,
    parameters: async ({ apiKey }, { http }) => {
      const { json } = await http.expect(201, { path: '/api/v1/verify/request', apiKey, body: { claims: ['tier'] } });
      return { presentation_id: json['presentation_id'] as string };
    },
  },
  {
    method: 'POST',
    path: '/openid4vp/responses/{presentation_id}',
    access: 'public',
    success: 200,
    standard: true,
    parameters: answered,
    body: { response: '' },
    unkept: ['response'],
  },
  { method: 'GET', path: '/.well-known/openid-credential-issuer', access: 'public', success: 200 },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', access: 'public', success: 200 },
  { method: 'GET', path: '/.well-known/jwt-vc-issuer', access: 'public', success: 200 },
  { method: 'GET', path: '/credentials/types/attestation-1', access: 'public', success: 200 },
  {
    method: 'GET',
    path: '/credentials/token-status/{list}',
    access: 'public',
    success: 200,
    parameters: async (owner, world) => {
      await fetched(owner, world);
      return { list: '1' };
    },
  },
];
