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

/** The purchase of a checkout of this owner. */
const openedPurchase: Endpoint['parameters'] = async (owner, { http }) => {
  const { apiKey } = owner;
  const body = { package: 'small', ...PAGES };
  const opened = await http.expect(200, { path: '/billing/checkout/credits', apiKey, body });
  return { purchaseId: String(opened.json['purchase_id']) };
};

const creditsCheckout = (base: string): Endpoint => {
  const path = `${base}/checkout/credits`;
  const endpoint = checkout(path, { package: 'small' }, { ...PACKAGE, metadata: [{ order: '' }, 'INVALID_FIELD'] });
  return {
    ...endpoint,
    body: { ...endpoint.body, metadata: { order: '4711' } },
    unkept: Object.keys(PAGES),
    givenBack: async ({ call: { apiKey }, answer, world: { http } }) =>
      (await http.expect(200, { path: `${base}/purchases/${String(answer.json['purchase_id'])}`, apiKey })).json,
  };
};

const purchases = (base: string): readonly Endpoint[] => [
  {
    method: 'GET',
    path: `${base}/purchases`,
    access: 'key',
    scope: 'billing',
    success: 200,
    invalidQuery: { limit: ['51', 'INVALID_FIELD'], cursor: ['x', 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: `${base}/purchases/{purchaseId}`,
    access: 'key',
    scope: 'billing',
    success: 200,
    parameters: openedPurchase,
  },
];

export const billingEndpoints: readonly Endpoint[] = [
  ...['/billing', '/api/v1/billing'].flatMap((base) => [
    creditsCheckout(base),
    checkout(`${base}/checkout/subscription`, { tier: 'growth' }, TIER),
    portal(`${base}/portal`),
    ...purchases(base),
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
