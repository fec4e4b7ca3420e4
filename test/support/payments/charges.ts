import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ProviderEvent } from './provider.js';

type Row = Record<string, unknown>;

export interface Refund {
  readonly id: string;
  readonly amount: number;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
}

export interface Dispute {
  readonly id: string;
  readonly amount: number;
  status: 'needs_response' | 'won' | 'lost';
}

const SECOND = Math.floor(Date.now() / 1_000);
let ids = 0;
const newId = (prefix: string): string => `${prefix}_of_tests_${(ids += 1)}`;

/** One charge at the provider, with all that became of it. Each method answers with the events that Stripe would send. */
export class Charge {
  readonly id = newId('ch');
  readonly refunds: Refund[] = [];
  readonly disputes: Dispute[] = [];

  constructor(
    readonly intent: string,
    readonly amount: number,
    readonly currency: string,
    private readonly metadata: unknown,
  ) {}

  /** A refund counts from its beginning until it fails or is cancelled. */
  get refunded(): number {
    return this.refunds.reduce(
      (sum, { amount, status }) => sum + (status === 'failed' || status === 'canceled' ? 0 : amount),
      0,
    );
  }

  /** What is with the buyer or with the bank, and so not ours. */
  get lost(): number {
    const disputed = this.disputes.reduce((sum, { amount, status }) => sum + (status === 'won' ? 0 : amount), 0);
    return Math.min(this.amount, this.refunded + disputed);
  }

  refund(amount: number, status: Refund['status'] = 'succeeded'): ProviderEvent[] {
    const refund: Refund = { id: newId('re'), amount, status };
    this.refunds.push(refund);
    return [this.event('refund.created', this.refundRow(refund)), this.event('charge.refunded', this.row())];
  }

  endRefund(refund: Refund, status: 'succeeded' | 'failed' | 'canceled'): ProviderEvent[] {
    const before = { amount_refunded: this.refunded };
    refund.status = status;
    const row = this.refundRow(refund);
    return [
      this.event('refund.updated', row),
      this.event('charge.refund.updated', row),
      ...(status === 'failed' ? [this.event('refund.failed', row)] : []),
      ...(status === 'succeeded' ? [] : [this.event('charge.updated', this.row(), before)]),
    ];
  }

  dispute(amount = this.amount): ProviderEvent[] {
    const dispute: Dispute = { id: newId('du'), amount, status: 'needs_response' };
    this.disputes.push(dispute);
    return [
      this.event('charge.dispute.created', this.disputeRow(dispute)),
      this.event('charge.dispute.funds_withdrawn', this.disputeRow(dispute)),
    ];
  }

  endDispute(dispute: Dispute, status: 'won' | 'lost'): ProviderEvent[] {
    dispute.status = status;
    return [
      this.event('charge.dispute.closed', this.disputeRow(dispute)),
      ...(status === 'won' ? [this.event('charge.dispute.funds_reinstated', this.disputeRow(dispute))] : []),
    ];
  }

  row(): Row {
    const { id, amount, currency, metadata, refunded } = this;
    return {
      ...this.base(id, 'charge'),
      amount,
      amount_captured: amount,
      amount_refunded: refunded,
      captured: true,
      currency,
      disputed: this.disputes.length > 0,
      metadata,
      paid: true,
      payment_intent: this.intent,
      refunded: refunded === amount,
      status: 'succeeded',
    };
  }

  refundRow({ id, amount, status }: Refund): Row {
    const failed = status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {};
    return { ...this.part(id, 'refund', amount), metadata: {}, reason: null, status, ...failed };
  }

  disputeRow({ id, amount, status }: Dispute): Row {
    return { ...this.part(id, 'dispute', amount), is_charge_refundable: false, reason: 'fraudulent', status };
  }

  private part(id: string, object: string, amount: number): Row {
    const { currency, intent: payment_intent } = this;
    return { ...this.base(id, object), amount, charge: this.id, currency, payment_intent };
  }

  /** Much happens within one second, which orders nothing. */
  private base(id: string, object: string): Row {
    return { id, object, created: SECOND, livemode: false };
  }

  private event(type: string, object: Row, previous?: Row): ProviderEvent {
    const id = newId('evt');
    const data = { object, ...(previous === undefined ? {} : { previous_attributes: previous }) };
    const event = { ...this.base(id, 'event'), api_version: '2026-01-28.clover', type, data };
    return { id, type, body: JSON.stringify(event) };
  }
}

/**
 * Stands before the payment simulator and answers for charges whose refunds and disputes the test decides. All else is the
 * simulator's.
 */
export class ChargesServer {
  private readonly charges = new Map<string, Charge>();

  private constructor(private readonly server: Server) {}

  static async start(behind: string): Promise<ChargesServer> {
    const server = createServer();
    const charges = new ChargesServer(server);
    server.on('request', (incoming, outgoing) => {
      void charges.relay(incoming, new URL(incoming.url ?? '/', behind)).then(
        ({ status, body }) => outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body),
        () => outgoing.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return charges;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The charge of a completed checkout, whose money may be of another amount and currency than the checkout's. */
  charge(session: ProviderEvent, of: { readonly amount?: number; readonly currency?: string } = {}): Charge {
    const { object } = (JSON.parse(session.body) as { data: { object: Row } }).data;
    const { payment_intent: intent, amount_total, currency, metadata } = object;
    const amount = of.amount ?? Number(amount_total);
    const charge = new Charge(String(intent), amount, of.currency ?? String(currency), metadata);
    this.charges.set(charge.intent, charge);
    return charge;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async relay(
    incoming: IncomingMessage,
    url: URL,
  ): Promise<{ readonly status: number; readonly body: string }> {
    const { method = 'GET', headers } = incoming;
    const [, , kind, id] = url.pathname.split('/');
    const own = kind === 'charges' ? [...this.charges.values()].find((charge) => charge.id === id) : undefined;
    if (own !== undefined) return { status: 200, body: JSON.stringify(own.row()) };
    const body = method === 'GET' ? null : await buffer(incoming);
    const kept = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'];
    const onward = Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
    const answered = await fetch(url, { method, headers: onward, body });
    const text = await answered.text();
    const isIntents = method === 'GET' && kind === 'payment_intents';
    return { status: answered.status, body: isIntents ? this.withCharges(text) : text };
  }

  private withCharges(text: string): string {
    const body = JSON.parse(text) as Row;
    const rows = body['data'] as Row[] | undefined;
    return JSON.stringify(rows ? { ...body, data: rows.map((row) => this.intentRow(row)) } : this.intentRow(body));
  }

  private intentRow(row: Row): Row {
    const charge = this.charges.get(String(row['id']));
    if (charge === undefined) return row;
    const { amount, currency } = charge;
    return { ...row, amount, amount_received: amount, currency, latest_charge: charge.row() };
  }
}
