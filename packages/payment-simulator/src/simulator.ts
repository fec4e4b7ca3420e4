import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerApi } from './api.js';
import { EventDeliveries } from './event-deliveries.js';
import { ApiFault } from './form.js';
import { SimulatedStripe } from './simulated-stripe.js';
import { type Session } from './objects.js';
import { authenticationPage, dashboardPage, messagePage, paymentPage, portalPage, receiptPage } from './pages.js';
import { SimulatorStore } from './store.js';

export interface SimulatorOptions {
  readonly dataDir: string;
  /** Signs events. By default one that the simulator makes and remembers. */
  readonly webhookSecret: string | undefined;
  readonly livemode: boolean;
  /** Shows what is there and changes nothing, beside the simulator of a running service. */
  readonly readOnly?: boolean;
}

interface Page {
  readonly status?: number;
  readonly html?: string;
  readonly location?: string;
}

const LOOPBACK = '127.0.0.1';
/** Milliseconds between looks for subscriptions whose period has ended, and for pages whose time is over. */
const RENEW_INTERVAL_MS = 30_000;
const MAX_FORM = 65_536;

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Stripe as far as the service needs it: API, hosted page, portal, dashboard, and signed events. On loopback only. */
export class PaymentSimulator {
  private readonly stripe: SimulatedStripe;
  private readonly deliveries: EventDeliveries;
  private readonly server = createServer((request, response) => void this.serve(request, response));
  private renewing: NodeJS.Timeout | undefined;

  private constructor(
    private readonly store: SimulatorStore,
    readonly webhookSecret: string,
    livemode: boolean,
  ) {
    this.deliveries = new EventDeliveries(store, webhookSecret, livemode);
    this.stripe = new SimulatedStripe(store.state, this.deliveries, () => this.url, livemode);
  }

  static async start({
    dataDir,
    webhookSecret,
    livemode,
    readOnly = false,
  }: SimulatorOptions): Promise<PaymentSimulator> {
    const store = await SimulatorStore.open(dataDir, { readOnly });
    const simulator = new PaymentSimulator(store, webhookSecret ?? store.state.webhookSecret, livemode);
    await simulator.listen(readOnly ? 0 : store.state.port);
    await store.save();
    return simulator;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${LOOPBACK}:${this.port}`;
  }

  get secretKey(): string {
    return this.store.state.secretKey;
  }

  /** Sends events, those of earlier runs first, to this URL from now on. */
  deliverTo(url: string): void {
    this.deliveries.start(url);
    this.renewing = setInterval(() => {
      const changed = [this.stripe.renewDue(), this.stripe.expireDue()];
      if (changed.includes(true)) void this.store.save().then(() => this.deliveries.send());
    }, RENEW_INTERVAL_MS);
    this.renewing.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.renewing);
    this.deliveries.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.store.save();
  }

  /** Another process may have taken the port of the last start. */
  private async listen(port: number): Promise<void> {
    await listen(this.server, port).catch(() => listen(this.server, 0));
    this.store.state.port = this.port;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', this.url);
      if (Number(request.headers['content-length'] ?? 0) > MAX_FORM) throw new ApiFault(413, 'The form is too long');
      const form = request.method === 'POST' ? await text(request) : url.search.slice(1);
      if (url.pathname.startsWith('/v1/')) await this.serveApi(request, response, url.pathname, form);
      else await this.servePage(request.method ?? 'GET', response, url.pathname, new URLSearchParams(form));
    } catch (error) {
      const status = error instanceof ApiFault ? error.status : 500;
      const message = error instanceof ApiFault ? error.message : 'Something went wrong';
      response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(messagePage(status === 404 ? 'Not found' : 'Error', message));
    }
  }

  private async serveApi(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    form: string,
  ): Promise<void> {
    const { authorization, 'idempotency-key': key } = request.headers;
    const answer =
      authorization === `Bearer ${this.secretKey}`
        ? answerApi(this.stripe, { method: request.method ?? 'GET', path, form, key: [key].flat()[0] })
        : { status: 401, body: '{"error":{"type":"invalid_request_error","message":"Invalid API Key provided"}}' };
    // What was answered is remembered: a restart must not forget a session whose address somebody holds, nor a payment that a
    // list showed.
    await this.store.save();
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(answer.body);
    this.deliveries.send();
  }

  private async servePage(
    method: string,
    response: ServerResponse,
    path: string,
    form: URLSearchParams,
  ): Promise<void> {
    const [, place, id = ''] = path.split('/');
    const posted = method === 'POST' ? form : undefined;
    const { status = 200, html = '', location } = this.pageOf(place ?? '', id, posted);
    if (posted !== undefined) await this.store.save();
    response.writeHead(location === undefined ? status : 303, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      ...(location === undefined ? {} : { Location: location }),
    });
    response.end(html);
    this.deliveries.send();
  }

  private pageOf(place: string, id: string, form: URLSearchParams | undefined): Page {
    switch (place) {
      case 'pay':
        return this.paymentPage(this.stripe.find(this.store.state.sessions, id, 'checkout session'), form);
      case 'portal':
        return this.portalPage(id, form);
      case 'receipts':
        return { html: receiptPage(this.stripe.find(this.store.state.charges, id, 'charge')) };
      case 'dashboard':
        return this.dashboard(form);
      case '':
        return { location: '/dashboard' };
      default:
        return { status: 404, html: messagePage('Not found', 'There is no such page.') };
    }
  }

  private paymentPage(session: Session, form: URLSearchParams | undefined): Page {
    if (session.status === 'complete') {
      // Somebody who pays again by going back lands where the first payment led to.
      return form === undefined
        ? { html: messagePage('Paid', 'This payment was made already.') }
        : { location: session.success_url ?? '' };
    }
    if (session.status === 'expired') return { html: messagePage('Expired', 'The time to pay here is over.') };
    const product = this.store.state.plans[session.id]?.product ?? '';
    if (form === undefined) return { html: paymentPage(session, product) };
    const card = form.get('card') ?? '';
    const refused = (reason: string): Page => ({ html: paymentPage(session, product, { card, reason }) });
    if (form.get('do') === 'cancel') return { location: session.cancel_url ?? '' };
    if (form.get('do') === 'refuse') return refused('The bank did not confirm the payment.');
    switch (this.stripe.pay(session, card, form.get('do') === 'authenticate')) {
      case 'paid':
        return { location: (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id) };
      case 'needs_authentication':
        return { html: authenticationPage(session, card) };
      case 'declined':
        return refused('The card was declined. Try another one.');
      case 'unknown_card':
        return refused('This is none of the cards to try.');
    }
  }

  private portalPage(id: string, form: URLSearchParams | undefined): Page {
    const { state } = this.store;
    const portal = this.stripe.find(state.portals, id, 'portal session');
    const prices = Object.values(state.prices);
    const payments = this.stripe.paymentsOf(portal.customer);
    const show = (statusMessage?: string): Page => ({
      html: portalPage(portal, this.stripe.subscriptionOf(portal.customer), { prices, payments }, statusMessage),
    });
    if (form === undefined) return show();
    const [act = '', priceId = ''] = (form.get('do') ?? '').split(':');
    if (act === 'card') {
      const card = form.get('card') ?? '';
      if (!this.stripe.isKnown(card)) return show('This is none of the cards to try.');
      this.stripe.changeCard(portal.customer, card);
      return show('The card is saved.');
    }
    const subscription = this.stripe.subscriptionOf(portal.customer);
    if (subscription === undefined) return show();
    if (act === 'change') this.stripe.changePrice(subscription, this.stripe.find(state.prices, priceId, 'price'));
    else this.stripe.cancel(subscription, act === 'cancel_now' ? 'now' : 'period_end');
    return show('Done.');
  }

  private dashboard(form: URLSearchParams | undefined): Page {
    const { charges, disputes, subscriptions } = this.store.state;
    if (form !== undefined) {
      this.act(form.get('do') ?? '', form.get('id') ?? '');
      return { location: '/dashboard' };
    }
    const newest = <Row>(rows: Readonly<Record<string, Row>>): Row[] => Object.values(rows).reverse().slice(0, 100);
    const present = newest(subscriptions).filter(({ status }) => status !== 'canceled');
    return { html: dashboardPage(newest(charges), newest(disputes), present) };
  }

  private act(name: string, id: string): void {
    const { charges, disputes, subscriptions } = this.store.state;
    switch (name) {
      case 'refund':
      case 'refund_half': {
        const charge = this.stripe.find(charges, id, 'charge');
        this.stripe.refund(charge, name === 'refund' ? charge.amount : charge.amount / 2);
        return;
      }
      case 'fail_refund':
        this.stripe.failRefund(this.stripe.find(charges, id, 'charge'));
        return;
      case 'dispute':
        this.stripe.dispute(this.stripe.find(charges, id, 'charge'));
        return;
      case 'win':
      case 'lose':
        this.stripe.closeDispute(this.stripe.find(disputes, id, 'dispute'), name === 'win' ? 'won' : 'lost');
        return;
      case 'renew':
        this.stripe.renew(this.stripe.find(subscriptions, id, 'subscription'));
        return;
      default:
        throw new ApiFault(400, 'There is no such action');
    }
  }
}
