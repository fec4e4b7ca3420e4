import { signed } from '../payments/signature.js';
import { type Endpoint } from './endpoint.js';

const PAGES = { success_url: 'https://shop.example.org/done', cancel_url: 'https://shop.example.org/back' };

const checkout = (path: string, what: object, invalid: Endpoint['invalid']): Endpoint => ({
  method: 'POST',
  path,
  access: 'key',
  scope: 'billing',
  success: 200,
  body: { ...what, ...PAGES },
  unkept: [...Object.keys(what), ...Object.keys(PAGES)],
  required: [...Object.keys(what), ...Object.keys(PAGES)],
  invalid: {
    ...invalid,
    success_url: ['ftp://shop.example.org', 'INVALID_FIELD'],
    cancel_url: ['https://me:secret@shop.example.org', 'INVALID_FIELD'],
  },
});

const portal = (path: string): Endpoint => ({
  method: 'POST',
  path,
  access: 'key',
  scope: 'billing',
  success: 200,
  body: { return_url: PAGES.success_url },
  unkept: ['return_url'],
  required: ['return_url'],
  invalid: { return_url: ['/back', 'INVALID_FIELD'] },
});

const EVENT = '{"id":"evt_1","object":"event","type":"customer.created","livemode":false,"data":{"object":{}}}';

const PACKAGE = { package: ['medium', 'INVALID_FIELD'] } as const;
const TIER = { tier: ['platinum', 'INVALID_FIELD'] } as const;

export const billingEndpoints: readonly Endpoint[] = [
  ...['/billing', '/api/v1/billing'].flatMap((base) => [
    checkout(`${base}/checkout/credits`, { package: 'small' }, PACKAGE),
    checkout(`${base}/checkout/subscription`, { tier: 'growth' }, TIER),
    portal(`${base}/portal`),
  ]),
  {
    method: 'GET',
    path: '/admin/payments/held',
    access: 'role',
    success: 200,
    invalidQuery: { limit: ['0', 'INVALID_FIELD'], offset: ['x', 'INVALID_FIELD'] },
  },
  // Only the provider's events lead to a held payment; test/e2e/payments.spec.ts shows the decisions.
  ...(['release', 'refuse'] as const).map((decision): Endpoint => ({
    method: 'POST',
    path: `/admin/payments/held/{purchase_id}/${decision}`,
    access: 'role',
    success: 404,
    parameters: () => Promise.resolve({ purchase_id: '88888888-8888-4888-8888-888888888888' }),
  })),
  {
    method: 'POST',
    path: '/webhooks/payments',
    access: 'signed',
    success: 200,
    raw: EVENT,
    headers: () => ({ 'stripe-signature': signed(EVENT) }),
  },
];
