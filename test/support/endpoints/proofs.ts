import { type Endpoint } from './endpoint.js';

export const proofEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/transparency/checkpoint', access: 'public', success: 200 },
  { method: 'GET', path: '/transparency/keys', access: 'public', success: 200 },
  {
    method: 'GET',
    path: '/transparency/consistency',
    access: 'public',
    success: 200,
    invalidQuery: { first: ['0', 'INVALID_FIELD'], second: ['many', 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/api/v1/proofs/{event_id}',
    access: 'key',
    scope: 'compliance',
    success: 200,
    parameters: ({ eventId }) => Promise.resolve({ event_id: eventId }),
  },
];
