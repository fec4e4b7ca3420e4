import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Charge,
  type Customer,
  type Delivery,
  type Dispute,
  type Intent,
  type Invoice,
  type PortalSession,
  type Price,
  type Session,
  type SessionPlan,
  type Subscription,
} from './objects.js';

type Table<Row> = Record<string, Row>;

/** Everything that the simulator remembers. */
export interface SimulatorState {
  /** The port of the last start, so that pages opened before a restart still answer. */
  port: number;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly customers: Table<Customer>;
  readonly prices: Table<Price>;
  readonly sessions: Table<Session>;
  readonly plans: Table<SessionPlan>;
  readonly intents: Table<Intent>;
  readonly charges: Table<Charge>;
  readonly subscriptions: Table<Subscription>;
  readonly invoices: Table<Invoice>;
  readonly disputes: Table<Dispute>;
  readonly portals: Table<PortalSession>;
  /** Cards by payment method. */
  readonly cards: Table<string>;
  /** Answers to requests with an Idempotency-Key: their path, form and outcome. */
  readonly answers: Table<{
    readonly request: string;
    readonly status: number;
    readonly body: string;
    readonly at: number;
  }>;
  readonly deliveries: Table<Delivery>;
}

const empty = (): SimulatorState => ({
  port: 0,
  secretKey: `sk_test_${randomBytes(24).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  customers: {},
  prices: {},
  sessions: {},
  plans: {},
  intents: {},
  charges: {},
  subscriptions: {},
  invoices: {},
  disputes: {},
  portals: {},
  cards: {},
  answers: {},
  deliveries: {},
});

const FOLDER = 'payment-simulator';

/** The state as one file, which every change replaces as a whole. */
export class SimulatorStore {
  private saving: Promise<void> = Promise.resolve();
  /** The save that has not begun yet. It takes in every change until then. */
  private next: Promise<void> | undefined;
  private kept: ReadonlySet<string>;

  private constructor(
    private readonly file: string,
    readonly state: SimulatorState,
    private readonly readOnly: boolean,
  ) {
    this.kept = new Set(Object.keys(state.deliveries));
  }

  static async open(dataDir: string, { readOnly = false } = {}): Promise<SimulatorStore> {
    const file = join(dataDir, FOLDER, 'state.json');
    if (!readOnly) await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    const state = text === undefined ? empty() : { ...empty(), ...(JSON.parse(text) as SimulatorState) };
    return new SimulatorStore(file, state, readOnly);
  }

  /** Whether the delivery is durable. One sent earlier could outlive, at its receiver, a payment that a crash makes us forget. */
  keeps(deliveryId: string): boolean {
    return this.kept.has(deliveryId);
  }

  /** Resolves once the present state is durable. */
  save(): Promise<void> {
    if (this.readOnly) return Promise.resolve();
    this.next ??= this.saving = this.saving
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.write();
      });
    return this.next;
  }

  private async write(): Promise<void> {
    const file = await open(`${this.file}.new`, 'w', 0o600);
    const written = new Set(Object.keys(this.state.deliveries));
    try {
      await file.writeFile(JSON.stringify(this.state));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${this.file}.new`, this.file);
    this.kept = written;
  }
}
