import { type Json } from '../load/http.js';
import { type Endpoint } from './endpoint.js';
import { fresh } from './parameters.js';
import { type Owner, type World } from './world.js';

const billing = (endpoint: Omit<Endpoint, 'access' | 'scope' | 'success'>): readonly Endpoint[] =>
  ['', '/api/v1'].map((prefix) => ({
    ...endpoint,
    path: prefix + endpoint.path,
    access: 'key',
    scope: 'billing',
    success: 200,
  }));

/** The newest transaction of this owner. */
const transaction = async (owner: Owner, { http }: World): Promise<Record<string, string>> => {
  const { json } = await http.expect(200, { path: '/billing/transactions?limit=1', apiKey: owner.apiKey });
  const [newest] = json['transactions'] as { readonly id: string }[];
  return { id: newest?.id ?? 'none' };
};

export const creditEndpoints: readonly Endpoint[] = [
  ...billing({ method: 'GET', path: '/billing/overview' }),
  ...billing({ method: 'GET', path: '/billing/forecast' }),
  ...billing({ method: 'GET', path: '/billing/balances', invalidQuery: { days: ['0', 'INVALID_FIELD'] } }),
  ...billing({
    method: 'GET',
    path: '/billing/usage',
    invalidQuery: { days: ['367', 'INVALID_FIELD'], group_by: ['member', 'INVALID_FIELD'] },
  }),
  ...billing({
    method: 'GET',
    path: '/billing/transactions',
    invalidQuery: {
      limit: ['101', 'INVALID_FIELD'],
      offset: ['-1', 'INVALID_FIELD'],
      cursor: ['yesterday', 'INVALID_FIELD'],
      type: ['gift', 'INVALID_FIELD'],
      operation: ['sing', 'INVALID_FIELD'],
      start_date: ['yesterday', 'INVALID_DATE'],
      end_date: ['2026-02-30', 'INVALID_DATE'],
      proof: ['maybe', 'INVALID_FIELD'],
    },
  }),
  ...billing({
    method: 'GET',
    path: '/billing/transactions/{id}',
    parameters: transaction,
    invalidQuery: { proof: ['maybe', 'INVALID_FIELD'] },
  }),
  ...billing({
    method: 'POST',
    path: '/billing/auto-recharge',
    body: { enabled: false, threshold: 500, package: 'large', max_per_day: 3 },
    givenBack: ({ answer }) => Promise.resolve(answer.json['auto_recharge'] as Json),
    required: ['enabled'],
    invalid: {
      enabled: ['yes', 'INVALID_FIELD'],
      threshold: [0, 'INVALID_FIELD'],
      package: ['huge', 'INVALID_FIELD'],
      max_per_day: [0, 'INVALID_FIELD'],
    },
  }),
  ...billing({ method: 'GET', path: '/billing/alerts' }),
  ...billing({
    method: 'PATCH',
    path: '/billing/alerts',
    body: { alert_thresholds: [50, 10] },
    givenBack: async ({ world: { http, owner } }) =>
      (await http.expect(200, { path: '/billing/alerts', apiKey: owner.apiKey })).json,
    required: ['alert_thresholds'],
    invalid: { alert_thresholds: [[101], 'INVALID_FIELD'] },
  }),
  { method: 'GET', path: '/billing/credits', access: 'key', scope: 'billing', success: 200 },
  { method: 'GET', path: '/api/v1/billing/credits', access: 'key', scope: 'billing', success: 200 },
  {
    method: 'GET',
    path: '/admin/accounts/{id}/credits',
    access: 'role',
    success: 200,
    parameters: (owner) => Promise.resolve({ id: owner.tenantId }),
  },
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
