import { decodeJwt } from 'jose';
import { type Endpoint } from './endpoint.js';

/** Endpoints that belong to no slice. */
export const serviceEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/dev/token',
    access: 'public',
    headers: ({ http }) => ({ 'x-dev-secret': http.devSecret }),
    success: 200,
    body: { tenant_id: 't01jd0000000000000000000000', roles: ['support'], scope: 'credentials:issue' },
    givenBack: ({ answer }) => Promise.resolve({ ...decodeJwt(String(answer.json['access_token'])) }),
    required: [],
    invalid: { roles: [['root'], 'INVALID_FIELD'], scope: [1, 'INVALID_FIELD'] },
  },
  { method: 'GET', path: '/.well-known/jwks.json', access: 'public', success: 200 },
  { method: 'GET', path: '/dev/jwks.json', access: 'public', success: 200 },
  { method: 'GET', path: '/health/live', access: 'unlimited', success: 200 },
  { method: 'GET', path: '/health/ready', access: 'unlimited', success: 200 },
  { method: 'GET', path: '/metrics', access: 'role', roles: ['support', 'security'], success: 200 },
];
