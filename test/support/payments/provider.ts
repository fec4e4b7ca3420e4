import { readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PaymentSimulator } from '@kyc/payment-simulator/simulator';
import { newDataDir } from '../service.js';
import { WEBHOOK_SECRET } from './signature.js';

export const FORMER_SECRET = 'whsec_before_its_rotation';

export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/**
 * The payment provider of a test. It keeps the events back, so that the test delivers them as it likes, and its answers
 * wait for the test where it says so.
 */
export class Provider {
  private hold: ((path: string) => Promise<void> | undefined) | undefined;

  private constructor(
    readonly simulator: PaymentSimulator,
    readonly dataDir: string,
    private readonly proxy: Server,
  ) {}

  static async start(): Promise<Provider> {
    const dataDir = newDataDir();
    const simulator = await PaymentSimulator.start({ dataDir, webhookSecret: WEBHOOK_SECRET, livemode: false });
    const proxy = createServer();
    const provider = new Provider(simulator, dataDir, proxy);
    proxy.on('request', (incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      const onward = request({ port: simulator.port, host: '127.0.0.1', method, headers, path: url }, (answer) => {
        void Promise.resolve(provider.hold?.(url)).then(() => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        });
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  /** The environment of a service that uses this provider. */
  get env(): Readonly<Record<string, string>> {
    return {
      STRIPE_SECRET_KEY: this.simulator.secretKey,
      STRIPE_WEBHOOK_SECRET: `${WEBHOOK_SECRET},${FORMER_SECRET}`,
      STRIPE_API_URL: `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}`,
    };
  }

  /** Answers to these requests wait; what they ask for has happened. */
  holdAnswers(hold: ((path: string) => Promise<void> | undefined) | undefined): void {
    this.hold = hold;
  }

  /** The events so far, oldest first. */
  events(type?: string): ProviderEvent[] {
    const { deliveries } = this.state<{ deliveries: Record<string, ProviderEvent> }>();
    return Object.values(deliveries).filter((event) => type === undefined || event.type === type);
  }

  /** The events that `work` leads to. */
  async eventsOf(work: () => Promise<unknown>): Promise<ProviderEvent[]> {
    const before = new Set(this.events().map(({ id }) => id));
    await work();
    return this.events().filter(({ id }) => !before.has(id));
  }

  /** The subscription that a completed checkout began. */
  subscriptionOf(session: string): string {
    const { sessions } = this.state<{ sessions: Record<string, { subscription: string | null }> }>();
    const id = sessions[session]?.subscription;
    if (id === undefined || id === null) throw new Error(`${session} began no subscription`);
    return id;
  }

  /** A person on a hosted page. Returns where it leads to, or undefined where it stays. */
  async submit(url: string, form: Readonly<Record<string, string>>): Promise<string | undefined> {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    return answer.headers.get('location') ?? undefined;
  }

  pay(url: string, card = '4242424242424242'): Promise<string | undefined> {
    return this.submit(url, { do: 'pay', card });
  }

  /** Something that a merchant does in the provider's dashboard. */
  act(name: string, id: string): Promise<string | undefined> {
    return this.submit(`${this.simulator.url}/dashboard`, { do: name, id });
  }

  /** What the simulator remembers. */
  private state<State>(): State {
    return JSON.parse(readFileSync(join(this.dataDir, 'payment-simulator', 'state.json'), 'utf8')) as State;
  }

  async stop(): Promise<void> {
    this.proxy.closeAllConnections();
    this.proxy.close();
    await this.simulator.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
