import { generateKeyPairSync } from 'node:crypto';
import { applicationOf, issue, toIssued } from '../credentials.js';
import { person } from '../load/people.js';
import { type Endpoint } from './endpoint.js';
import { walletEndpoints } from './wallets.js';
import { type Owner, type World } from './world.js';

type Parameters = Promise<Readonly<Record<string, string>>>;

/** Attested in every world. */
const ATTESTED = person(1);

const PUBLIC_KEY = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }) as string;

const freshCredential = async (owner: Owner, { http }: World): Parameters => ({
  jti: (await issue(http, owner, ATTESTED)).jti,
});

const suspendedCredential = async (owner: Owner, world: World): Parameters => {
  const parameters = await freshCredential(owner, world);
  const path = `/api/v1/credentials/${parameters['jti'] ?? ''}/suspend`;
  await world.http.expect(200, { path, apiKey: owner.apiKey, body: {} });
  return parameters;
};

/** A list exists once something was issued. */
const firstList = async (owner: Owner, world: World): Parameters => {
  await freshCredential(owner, world);
  return { purpose: 'revocation', list: '1' };
};

const reasonOf = {
  givenBack: ({ answer }) => Promise.resolve({ reason: answer.json['reason'] }),
} satisfies Partial<Endpoint>;

const CHANGE = {
  method: 'POST',
  access: 'key',
  scope: 'credentials',
  success: 200,
  body: { reason: 'The telephone was lost on the way to Woolton' },
  ...reasonOf,
  invalid: { reason: ['x'.repeat(513), 'INVALID_FIELD'] },
} as const;

export const credentialEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/issue',
    access: 'token',
    success: 200,
    charged: 10,
    body: applicationOf(ATTESTED),
    givenBack: async ({ answer, world: { http, owner } }) => {
      const { jti } = toIssued(answer);
      const { json } = await http.expect(200, { path: `/api/v1/credentials/${jti}`, apiKey: owner.apiKey });
      const [, claims = ''] = String(json['token']).split('.');
      const { vc } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { vc: { credentialSubject: object } };
      return { ...vc.credentialSubject };
    },
    unkept: ['email', 'dob'],
    required: ['email', 'phone_number', 'full_name', 'dob'],
    invalid: {
      email: ['nobody', 'INVALID_EMAIL'],
      phone_number: ['0123456789', 'INVALID_PHONE'],
      full_name: [' ', 'INVALID_FIELD'],
      dob: ['2999-01-01', 'INVALID_DATE'],
      tier: ['Tier4', 'INVALID_FIELD'],
    },
  },
  {
    method: 'POST',
    path: '/api/v1/verify',
    access: 'key',
    scope: 'credentials',
    success: 200,
    charged: true,
    body: { token: 'not.a.token', public_key_pem: PUBLIC_KEY, nonce: 'n-1', audience: 'https://verifier.example' },
    unkept: ['token', 'public_key_pem', 'nonce', 'audience'],
    required: ['token', 'public_key_pem'],
    invalid: {
      token: [7, 'INVALID_FIELD'],
      public_key_pem: ['-----BEGIN PUBLIC KEY-----', 'INVALID_FIELD'],
      nonce: ['x'.repeat(257), 'INVALID_FIELD'],
      audience: [7, 'INVALID_FIELD'],
    },
  },
  {
    method: 'GET',
    path: '/api/v1/credentials',
    access: 'key',
    scope: 'credentials',
    success: 200,
    invalidQuery: {
      status: ['lost', 'INVALID_FIELD'],
      identity_id: ['idn_', 'INVALID_FIELD'],
      limit: ['101', 'INVALID_FIELD'],
      offset: ['-1', 'INVALID_FIELD'],
    },
  },
  {
    method: 'GET',
    path: '/api/v1/credentials/{jti}',
    access: 'key',
    scope: 'credentials',
    success: 200,
    parameters: freshCredential,
  },
  { ...CHANGE, path: '/api/v1/credentials/{jti}/revoke', parameters: freshCredential, required: ['reason'] },
  { ...CHANGE, path: '/api/v1/credentials/{jti}/suspend', parameters: freshCredential, required: [] },
  { ...CHANGE, path: '/api/v1/credentials/{jti}/reinstate', parameters: suspendedCredential, required: [] },
  { method: 'GET', path: '/.well-known/did.json', access: 'public', success: 200 },
  {
    method: 'GET',
    path: '/credentials/status/{purpose}/{list}',
    access: 'public',
    success: 200,
    parameters: firstList,
  },
  ...walletEndpoints,
];
