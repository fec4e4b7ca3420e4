import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Delivery, newId, secondsNow } from './objects.js';
import { type SimulatorStore } from './store.js';

/** Milliseconds. Stripe sends for three days, at growing intervals; the simulator is on the same machine and waits less. */
const FIRST_PAUSE = 500;
const MAX_PAUSE_MS = 60_000;
const BUDGET = 20_000;
const GIVES_UP_AFTER = 3 * 86_400_000;

/** The API version of the objects, as events name it. */
export const API_VERSION = '2026-10-28.endive';

/** Signed events, sent until the service takes them. */
export class EventDeliveries {
  private url: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly underWay = new Set<string>();
  private closed = false;

  constructor(
    private readonly store: SimulatorStore,
    private readonly secret: string,
    private readonly livemode: boolean,
  ) {}

  /** Notes the event of an object as it is now. The caller saves the state, and then calls `send`. */
  add(type: string, object: object): void {
    const id = newId('evt');
    const created = secondsNow();
    const body = JSON.stringify({
      id,
      object: 'event',
      api_version: API_VERSION,
      created,
      livemode: this.livemode,
      pending_webhooks: 1,
      request: null,
      type,
      data: { object },
    });
    this.store.state.deliveries[id] = { id, type, body, tries: 0, nextAt: created * 1_000 };
  }

  /** Sends everything that is due, and goes on until `close`. */
  start(url: string): void {
    this.url = url;
    this.send();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Sends what is due and durable. */
  send(): void {
    if (this.url === undefined || this.closed) return;
    clearTimeout(this.timer);
    const waiting = Object.values(this.store.state.deliveries).filter(
      ({ id }) => this.store.keeps(id) && !this.underWay.has(id),
    );
    const now = Date.now();
    for (const delivery of waiting) if (delivery.nextAt <= now) void this.deliver(delivery, this.url);
    const later = waiting.filter(({ nextAt }) => nextAt > now).map(({ nextAt }) => nextAt);
    if (later.length > 0) {
      this.timer = setTimeout(() => this.send(), Math.min(...later) - now);
      this.timer.unref();
    }
  }

  private async deliver(delivery: Delivery, url: string): Promise<void> {
    this.underWay.add(delivery.id);
    const status = await this.post(url, delivery.body).catch(() => 0);
    this.underWay.delete(delivery.id);
    if (this.closed) return;
    const { deliveries } = this.store.state;
    delivery.tries += 1;
    const age = Date.now() - (JSON.parse(delivery.body) as { created: number }).created * 1_000;
    if ((status >= 200 && status < 300) || age > GIVES_UP_AFTER) Reflect.deleteProperty(deliveries, delivery.id);
    else delivery.nextAt = Date.now() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE * 2 ** delivery.tries);
    await this.store.save();
    this.send();
  }

  private post(url: string, body: string): Promise<number> {
    const at = secondsNow();
    const signature = createHmac('sha256', this.secret).update(`${at}.${body}`).digest('hex');
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Stripe-Signature': `t=${at},v1=${signature}`,
    };
    return new Promise((resolve, reject) => {
      // The service is on this machine, where its certificate names another host.
      const options = { method: 'POST', headers, timeout: BUDGET, rejectUnauthorized: false };
      const sent = url.startsWith('https:') ? requestHttps(url, options) : requestHttp(url, options);
      sent.on('response', (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error('the service took too long')));
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
