import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedTarget, SharedTarget, type Target } from '../support/faults/targets.js';
import { drawTrials, seed, Targets } from '../support/faults/trials.js';
import { type Http } from '../support/load/http.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { Provider } from '../support/payments/provider.js';
import { eventually, sleep } from '../support/stack.js';

const PAGES = { success_url: 'https://shop.example.org/done', cancel_url: 'https://shop.example.org/back' };
const PACKAGE = 1_000;
const BUYERS = 4;
/** The provider tells again at growing intervals. */
const DELIVERY_BUDGET_MS = 45_000;

let provider: Provider | undefined;

/** Two instances share a provider that survives them. An embedded one dies and starts with the service. */
const targets = new Targets(async (name) => {
  if (name === 'embedded') return EmbeddedTarget.start();
  provider = await Provider.start();
  const target = await SharedTarget.start(provider.env);
  provider.simulator.deliverTo(`${target.https[0]?.baseUrl ?? ''}/webhooks/payments`);
  return target;
});

/** Buys until it is told to stop. An answer that never came counts for nothing: the provider knows what was paid. */
class Buyers {
  private stopping = false;
  private readonly work: Promise<void>[];

  constructor(
    private readonly https: readonly Http[],
    private readonly tenant: Tenant,
  ) {
    this.work = Array.from({ length: BUYERS }, (_, index) => this.buy(index));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.work);
  }

  private async buy(index: number): Promise<void> {
    while (!this.stopping) {
      const http = this.https[index % this.https.length] as Http;
      await this.once(http).catch(() => sleep(50));
    }
  }

  private async once(http: Http): Promise<void> {
    const body = { package: 'small', ...PAGES };
    const call = { path: '/billing/checkout/credits', apiKey: this.tenant.apiKey, body, timeoutMs: 5_000 };
    const { checkout_url: url } = (await http.expect(200, call)).json as { checkout_url: string };
    const form = new URLSearchParams({ do: 'pay', card: '4242424242424242' });
    await fetch(url, { method: 'POST', body: form, redirect: 'manual', signal: AbortSignal.timeout(5_000) });
  }
}

interface Session {
  readonly payment_status: string;
  readonly metadata: { readonly tenant: string };
}

const paidBy = ({ tenantId }: Tenant, dataDir: string): number => {
  const text = readFileSync(join(dataDir, 'payment-simulator', 'state.json'), 'utf8');
  const { sessions } = JSON.parse(text) as { sessions: Record<string, Session> };
  return Object.values(sessions).filter(({ payment_status: status, metadata }) => {
    return status === 'paid' && metadata.tenant === tenantId;
  }).length;
};

const dataDirOf = (target: Target): string => {
  if (target instanceof EmbeddedTarget) return target.dataDir;
  if (provider === undefined) throw new Error('the provider runs');
  return provider.dataDir;
};

describe(`kill -9 while payments come in, seed ${seed}`, () => {
  afterAll(async () => {
    await targets.stop();
    await provider?.stop();
  }, 60_000);

  it.each(drawTrials())(
    'trial $number: $part of $target after $after ms: what was paid is credited once, and nothing else',
    (trial) =>
      targets.during(trial, async (target) => {
        const tenant = await target.operator.tenant();
        const buyers = new Buyers(target.https, tenant);
        await sleep(trial.after);
        await target.strike(trial.part, trial.random);
        await sleep(500);
        await eventually('a payment', () => paidBy(tenant, dataDirOf(target)) > 0, DELIVERY_BUDGET_MS);
        await buyers.stop();
        const http = target.https.at(-1) as Http;
        // The provider may still take a payment whose buyer no longer waits for the answer.
        const credited = async () => (await balanceOf(http, tenant)) === paidBy(tenant, dataDirOf(target)) * PACKAGE;
        await eventually('the credits of every payment', credited, DELIVERY_BUDGET_MS).catch(() => undefined);
        const paid = paidBy(tenant, dataDirOf(target));
        expect(await balanceOf(http, tenant)).toBe(paid * PACKAGE);
        const log = target.openLog();
        try {
          const purchases = (await log.credits(tenant.tenantId)).filter(({ type }) =>
            type.startsWith('CreditsPurchased'),
          );
          expect(purchases).toHaveLength(paid);
        } finally {
          await log.close();
        }
      }),
    120_000,
  );
});
