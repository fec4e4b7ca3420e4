import {
  ApiFault,
  ANY_TEXT,
  metadataIn,
  oneOf,
  type Parameters,
  readParameters,
  type Shape,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
} from './form.js';
import { type SimulatedStripe } from './simulated-stripe.js';
import { type Intent, listOf } from './objects.js';

/** One route of Stripe's API that the service uses. */
interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly shape: Shape;
  readonly answer: (stripe: SimulatedStripe, parameters: Parameters, id: string) => object;
}

const PAGE: Shape = { limit: WHOLE_NUMBER, starting_after: ANY_TEXT, 'created[gte]': WHOLE_NUMBER };
const MAX_PAGE = 100;

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** Newest first, as Stripe lists. */
const page = (rows: readonly Listed[], parameters: Parameters, url: string): object => {
  const since = Number(parameters['created[gte]'] ?? 0);
  const newest = rows.filter(({ created }) => created >= since).reverse();
  const start = newest.findIndex(({ id }) => id === parameters['starting_after']) + 1;
  const limit = Math.min(MAX_PAGE, Number(parameters['limit'] ?? 10));
  return listOf(newest.slice(start, start + limit), newest.length > start + limit, url);
};

const CHECKOUT: Shape = {
  'mode!': oneOf('payment', 'subscription'),
  'customer!': ANY_TEXT,
  'success_url!': /^https?:\/\//i,
  'cancel_url!': /^https?:\/\//i,
  client_reference_id: ANY_TEXT,
  metadata: ANY_TEXT,
  'allowed_payment_method_types[]': oneOf('card'),
  'line_items[][quantity]!': oneOf('1'),
  'line_items[][price]': ANY_TEXT,
  'line_items[][price_data][currency]': oneOf('usd'),
  'line_items[][price_data][unit_amount]': WHOLE_NUMBER,
  'line_items[][price_data][product_data][name]': ANY_TEXT,
  'payment_intent_data[setup_future_usage]': oneOf('off_session'),
  'payment_intent_data[metadata]': ANY_TEXT,
  'subscription_data[metadata]': ANY_TEXT,
};

const checkout = (stripe: SimulatedStripe, given: Parameters): object => {
  const mode = given['mode'] === 'subscription' ? 'subscription' : 'payment';
  const priceId = given['line_items[0][price]'];
  const price = priceId === undefined ? undefined : stripe.find(stripe.state.prices, priceId, 'price');
  const amount = price?.unit_amount ?? given['line_items[0][price_data][unit_amount]'];
  if (amount === undefined || (mode === 'subscription') !== (price !== undefined)) {
    throw new ApiFault(400, 'line_items do not fit the mode', { type: 'invalid_request_error', param: 'line_items' });
  }
  return stripe.createSession({
    mode,
    customer: given['customer'] ?? '',
    amount: Number(amount),
    currency: 'usd',
    successUrl: given['success_url'] ?? '',
    cancelUrl: given['cancel_url'] ?? '',
    metadata: metadataIn(given, 'metadata'),
    plan: {
      product: price?.nickname ?? given['line_items[0][price_data][product_data][name]'] ?? '',
      price: priceId ?? null,
      intentMetadata: metadataIn(given, 'payment_intent_data[metadata]'),
      subscriptionMetadata: metadataIn(given, 'subscription_data[metadata]'),
    },
  });
};

const INTENT: Shape = {
  'amount!': WHOLE_NUMBER,
  'currency!': oneOf('usd'),
  'customer!': ANY_TEXT,
  'payment_method!': ANY_TEXT,
  'off_session!': TRUE_OR_FALSE,
  'confirm!': TRUE_OR_FALSE,
  'allowed_payment_method_types[]': oneOf('card'),
  metadata: ANY_TEXT,
};

const intent = (stripe: SimulatedStripe, given: Parameters): object => {
  stripe.find(stripe.state.customers, given['customer'] ?? '', 'customer');
  return stripe.chargeOffSession({
    amount: Number(given['amount']),
    currency: given['currency'] ?? '',
    customer: given['customer'] ?? '',
    paymentMethod: given['payment_method'] ?? '',
    metadata: metadataIn(given, 'metadata'),
  });
};

const isExpanded = (given: Parameters): boolean => Object.keys(given).some((name) => name.startsWith('expand'));

const withCharge = ({ state }: SimulatedStripe, row: Intent): Listed => {
  const charge = state.charges[row.latest_charge ?? ''] ?? null;
  return { ...row, latest_charge: charge } as Listed;
};

const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/v1\/customers$/,
    shape: { metadata: ANY_TEXT },
    answer: (stripe, given) => stripe.createCustomer(metadataIn(given, 'metadata')),
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/(\w+)$/,
    shape: {},
    answer: (stripe, _given, id) => stripe.find(stripe.state.customers, id, 'customer'),
  },
  {
    method: 'GET',
    path: /^\/v1\/prices$/,
    shape: { 'lookup_keys[]': ANY_TEXT, active: TRUE_OR_FALSE, limit: WHOLE_NUMBER },
    answer: ({ state }, given) => {
      const wanted = new Set(Object.entries(given).flatMap(([name, key]) => (name.startsWith('lookup') ? [key] : [])));
      const found = Object.values(state.prices).filter(({ lookup_key }) => wanted.has(lookup_key ?? ''));
      return listOf(found, false, '/v1/prices');
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/prices$/,
    shape: {
      'currency!': oneOf('usd'),
      'unit_amount!': WHOLE_NUMBER,
      'lookup_key!': ANY_TEXT,
      'nickname!': ANY_TEXT,
      'recurring[interval]!': oneOf('month'),
      'product_data[name]!': ANY_TEXT,
    },
    answer: (stripe, given) =>
      stripe.createPrice(
        given['lookup_key'] ?? '',
        Number(given['unit_amount']),
        given['currency'] ?? '',
        given['nickname'] ?? '',
      ),
  },
  { method: 'POST', path: /^\/v1\/checkout\/sessions$/, shape: CHECKOUT, answer: checkout },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    shape: {},
    answer: (stripe, _given, id) => stripe.expire(stripe.find(stripe.state.sessions, id, 'checkout session')),
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions$/,
    shape: PAGE,
    answer: ({ state }, given) => page(Object.values(state.sessions), given, '/v1/checkout/sessions'),
  },
  {
    method: 'POST',
    path: /^\/v1\/billing_portal\/sessions$/,
    shape: { 'customer!': ANY_TEXT, 'return_url!': /^https?:\/\//i },
    answer: (stripe, given) => stripe.createPortal(given['customer'] ?? '', given['return_url'] ?? ''),
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions\/(\w+)$/,
    shape: {},
    answer: (stripe, _given, id) => stripe.find(stripe.state.subscriptions, id, 'subscription'),
  },
  { method: 'POST', path: /^\/v1\/payment_intents$/, shape: INTENT, answer: intent },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    shape: { ...PAGE, customer: ANY_TEXT, 'expand[]': oneOf('data.latest_charge') },
    answer: (stripe, given) => {
      const { customer } = given;
      const all = Object.values(stripe.state.intents);
      const rows = all.filter((row) => customer === undefined || row.customer === customer);
      const shown = isExpanded(given) ? rows.map((row) => withCharge(stripe, row)) : rows;
      return page(shown, given, '/v1/payment_intents');
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/(\w+)$/,
    shape: { 'expand[]': oneOf('latest_charge') },
    answer: (stripe, given, id) => {
      const found = stripe.find(stripe.state.intents, id, 'payment_intent');
      return isExpanded(given) ? withCharge(stripe, found) : found;
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/charges\/(\w+)$/,
    shape: {},
    answer: (stripe, _given, id) => stripe.find(stripe.state.charges, id, 'charge'),
  },
  {
    method: 'GET',
    path: /^\/v1\/invoices$/,
    shape: { ...PAGE, status: oneOf('paid') },
    answer: ({ state }, given) =>
      page(
        Object.values(state.invoices).filter(({ status }) => status === (given['status'] ?? status)),
        given,
        '/v1/invoices',
      ),
  },
];

export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
}

const faultBody = ({ message, details }: ApiFault): string => JSON.stringify({ error: { message, ...details } });

const answerTo = (stripe: SimulatedStripe, method: string, path: string, form: string): ApiAnswer => {
  try {
    const route = ROUTES.find((one) => one.method === method && one.path.test(path));
    if (route === undefined) throw new ApiFault(404, `Unrecognized request URL (${method}: ${path}).`);
    const id = route.path.exec(path)?.[1] ?? '';
    return { status: 200, body: JSON.stringify(route.answer(stripe, readParameters(form, route.shape), id)) };
  } catch (error) {
    if (error instanceof ApiFault) return { status: error.status, body: faultBody(error) };
    throw error;
  }
};

const KEYS_LAST_SECONDS = 86_400;

/** As `answerTo`, once for an Idempotency-Key: a second request gets the first one's answer for 24 h. */
export const answerApi = (
  stripe: SimulatedStripe,
  { method, path, form, key }: { method: string; path: string; form: string; key: string | undefined },
): ApiAnswer => {
  if (method !== 'POST' || key === undefined) return answerTo(stripe, method, path, form);
  const { answers } = stripe.state;
  const now = Math.floor(Date.now() / 1_000);
  for (const [old, { at }] of Object.entries(answers))
    if (at < now - KEYS_LAST_SECONDS) Reflect.deleteProperty(answers, old);
  const request = `${path}?${form}`;
  const earlier = Object.hasOwn(answers, key) ? answers[key] : undefined;
  if (earlier === undefined) {
    const answer = answerTo(stripe, method, path, form);
    answers[key] = { request, at: now, ...answer };
    return answer;
  }
  if (earlier.request === request) return earlier;
  const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
  return { status: 400, body: faultBody(new ApiFault(400, message, { type: 'idempotency_error' })) };
};
