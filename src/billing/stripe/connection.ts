import { type OnApplicationShutdown } from '@nestjs/common';
import Stripe from 'stripe';
import { type Clock } from '../../kernel/clock.js';
import { type Config } from '../../platform/config/config.js';
import { type Payments } from './payments.js';
import { PaymentSimulator } from '@kyc/payment-simulator/simulator';
import { StripePayments } from './stripe-payments.js';

export type PaymentConfig = Pick<Config, 'payments' | 'dataDir' | 'environment'>;

/** Milliseconds for one request. Whoever waits has 30 s, and the package tries twice. */
const BUDGET = 12_000;
const WEBHOOK_PATH = '/webhooks/payments';

const addressOf = (url: string | undefined) => {
  if (url === undefined) return {};
  const { hostname, port, protocol } = new URL(url);
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const);
  return { host: hostname, protocol: scheme, ...(port === '' ? {} : { port }) };
};

/** Stripe, or its embedded simulator, and the one client that talks to it. */
export class PaymentConnection implements OnApplicationShutdown {
  constructor(
    readonly payments: Payments,
    /** Undefined: Stripe itself. */
    readonly simulator: PaymentSimulator | undefined,
  ) {}

  /** `readOnly`: beside a running service, whose simulator it must not disturb. */
  static async open(config: PaymentConfig, clock: Clock, { readOnly = false } = {}): Promise<PaymentConnection> {
    const { secretKey, apiUrl } = config.payments;
    const webhookSecrets = [...config.payments.webhookSecrets];
    const simulator =
      secretKey === undefined
        ? await PaymentSimulator.start({
            dataDir: config.dataDir,
            webhookSecret: webhookSecrets[0],
            livemode: config.environment === 'production',
            readOnly,
          })
        : undefined;
    const stripe = new Stripe(simulator?.secretKey ?? secretKey ?? '', {
      ...addressOf(simulator?.url ?? apiUrl),
      timeout: BUDGET,
      maxNetworkRetries: 1,
      telemetry: false,
    });
    const secrets = simulator === undefined ? webhookSecrets : [simulator.webhookSecret, ...webhookSecrets.slice(1)];
    return new PaymentConnection(new StripePayments(stripe, secrets, clock), simulator);
  }

  /** Gives the simulator the address of the service. Stripe's is set in its dashboard. */
  deliverTo(baseUrl: string): void {
    this.simulator?.deliverTo(`${baseUrl}${WEBHOOK_PATH}`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.simulator?.close();
  }
}
