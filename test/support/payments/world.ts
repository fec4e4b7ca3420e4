import { Deployment, LONG_STORE_BUDGET_MS } from '../load/deployment.js';
import { type Answer, freshAddress, type Http } from '../load/http.js';
import { balanceOf, type Tenant } from '../load/tenants.js';
import { Provider, type ProviderEvent } from './provider.js';
import { signed } from './signature.js';

export const PAGES = { success_url: 'https://shop.example.org/done', cancel_url: 'https://shop.example.org/back' };

/** The one event of this type. */
export const only = (events: readonly ProviderEvent[], type: string): ProviderEvent => {
  const [found, ...more] = events.filter((event) => event.type === type);
  if (found === undefined || more.length > 0) throw new Error(`${type}: ${more.length + Number(found !== undefined)}`);
  return found;
};

/** The event with another content, which its sender would sign. */
export const altered = (
  { body }: ProviderEvent,
  change: (event: Record<string, unknown>, object: Record<string, unknown>) => void,
) => {
  const event = JSON.parse(body) as Record<string, unknown> & { data: { object: Record<string, unknown> } };
  change(event, event.data.object);
  return { body: JSON.stringify(event) };
};

/** What stands between the service and the provider's API. */
interface Front {
  readonly url: string;
  stop(): Promise<void>;
}

/** Two instances and their payment provider, with a new tenant for each test. */
export const paymentsWorld = (front?: (api: string) => Promise<Front>) => {
  let provider: Provider;
  let before: Front | undefined;
  let deployment: Deployment;
  let one: Http;
  let other: Http;
  let tenant: Tenant;

  beforeAll(async () => {
    provider = await Provider.start();
    before = await front?.(provider.env['STRIPE_API_URL'] ?? '');
    const api = before === undefined ? {} : { STRIPE_API_URL: before.url };
    deployment = await Deployment.start({ instances: 2, env: { ...LONG_STORE_BUDGET_MS, ...provider.env, ...api } });
    [one, other] = deployment.https as [Http, Http];
  }, 90_000);

  afterAll(async () => {
    await deployment.stop();
    await before?.stop();
    await provider.stop();
  });

  beforeEach(async () => {
    provider.holdAnswers(undefined);
    tenant = await deployment.operator.tenant();
  });

  const deliver = (http: Http, body: string, signature = signed(body)): Promise<Answer> =>
    http.send({
      path: '/webhooks/payments',
      raw: body,
      headers: { 'stripe-signature': signature },
      from: freshAddress(),
    });

  const taken = async ({ body }: Pick<ProviderEvent, 'body'>, http = one): Promise<void> => {
    const answer = await deliver(http, body);
    expect([answer.status, answer.text]).toEqual([200, '{"received":true}']);
  };

  const open = async (kind: 'credits' | 'subscription', what: object): Promise<string> => {
    const path = `/billing/checkout/${kind}`;
    const { json } = await one.expect(200, { path, apiKey: tenant.apiKey, body: { ...PAGES, ...what } });
    return json['checkout_url'] as string;
  };

  /** A purchase of the small package that the provider has the money for and has not told of. */
  const paid = async (card?: string): Promise<ProviderEvent[]> => {
    const url = await open('credits', { package: 'small' });
    return provider.eventsOf(async () => expect(await provider.pay(url, card)).toBe(PAGES.success_url));
  };

  const completed = async (): Promise<ProviderEvent> => only(await paid(), 'checkout.session.completed');

  const balance = (http = one): Promise<number> => balanceOf(http, tenant);

  const creditsOf = async (): Promise<unknown[]> =>
    (await deployment.log.credits(tenant.tenantId)).filter(({ type }) => type.startsWith('CreditsPurchased'));

  const held = async (): Promise<Record<string, unknown>[]> => {
    const { json } = await one.expect(200, {
      method: 'GET',
      path: '/admin/payments/held',
      token: deployment.operator.token,
    });
    return (json['payments'] as Record<string, unknown>[]).filter(({ tenant_id }) => tenant_id === tenant.tenantId);
  };

  const decide = (purchaseId: unknown, decision: 'release' | 'refuse'): Promise<Answer> =>
    one.send({
      method: 'POST',
      path: `/admin/payments/held/${String(purchaseId)}/${decision}`,
      token: deployment.operator.token,
    });

  /** What the operators' log tells of this request. */
  const logged = async (answer: Answer): Promise<Record<string, unknown>> => {
    const path = `/admin/audit-log?request_id=${answer.header('x-request-id') ?? ''}`;
    const { json } = await one.expect(200, { path, token: deployment.operator.token });
    const [{ outcome, changes } = {}] = json['logs'] as Record<string, unknown>[];
    return { outcome, changes };
  };

  return {
    get provider() {
      return provider;
    },
    get deployment() {
      return deployment;
    },
    get one() {
      return one;
    },
    get other() {
      return other;
    },
    get tenant() {
      return tenant;
    },
    newTenant: async (): Promise<void> => {
      tenant = await deployment.operator.tenant();
    },
    deliver,
    taken,
    open,
    paid,
    completed,
    balance,
    creditsOf,
    held,
    decide,
    logged,
  };
};
