import { type Endpoint } from './endpoint.js';
import { fresh } from './parameters.js';

export const creditEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/billing/credits', access: 'key', scope: 'billing', success: 200 },
  { method: 'GET', path: '/api/v1/billing/credits', access: 'key', scope: 'billing', success: 200 },
  {
    method: 'POST',
    path: '/admin/accounts/{id}/credits',
    access: 'role',
    success: 200,
    parameters: fresh,
    body: { amount: 5, reason: 'A gift' },
    givenBack: ({ answer }) => Promise.resolve({ amount: answer.json['balance'] }),
    sealed: ['reason'],
    required: ['amount', 'reason'],
    invalid: { amount: [0, 'INVALID_FIELD'], reason: ['', 'INVALID_FIELD'] },
  },
  { method: 'GET', path: '/billing/pricing', access: 'public', success: 200 },
  { method: 'GET', path: '/api/v1/billing/pricing', access: 'public', success: 200 },
];
