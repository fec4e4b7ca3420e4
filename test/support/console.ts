import { type Browser, type Page } from 'playwright-core';
import { complaintsOf, launchBrowser } from './browser.js';
import { type Json } from './load/http.js';
import { eventually, SLOWNESS } from './processes.js';
import { type Service } from './service.js';

/** A browser that follows the link which the start printed, anew for each test. */
export class ConsoleVisit {
  private browser: Browser | undefined;
  private present: Page | undefined;
  /** Everything that the page wrote to its console. */
  complaints: readonly string[] = [];

  constructor(private readonly service: Service) {}

  get page(): Page {
    if (this.present === undefined) throw new Error('no page is open');
    return this.present;
  }

  /** In the zone of this machine, or in another one. */
  async begin(zone: { readonly timezoneId?: string } = {}): Promise<void> {
    this.browser ??= await launchBrowser();
    this.present = await this.browser.newPage({ viewport: { width: 1_280, height: 900 }, ...zone });
    this.page.setDefaultTimeout(20_000 * SLOWNESS);
    this.complaints = complaintsOf(this.page);
    await this.page.goto(this.service.demo().console_url);
    await this.page.getByRole('heading', { name: 'Home' }).waitFor();
  }

  open(path: string): Promise<unknown> {
    return this.page.goto(`${this.service.baseUrl}/console${path}`);
  }

  end(): Promise<void> {
    return this.page.close();
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** A call of the demo account's key, answered with 2xx. */
  async call(path: string, body?: object): Promise<Json> {
    const headers = { 'X-API-Key': this.service.demo().api_key, 'Content-Type': 'application/json', Prefer: 'wait=5' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${this.service.baseUrl}${path}`, { headers, ...sent });
    const json = (await answer.json()) as Json;
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  }

  /** Screens someone who a list resembles, and returns once the queue has the match. */
  async screen(person: object): Promise<void> {
    const { decision_id: decision } = await this.call('/api/v1/compliance/sanctions', person);
    await eventually('the match', async () => {
      const { matches } = await this.call('/api/v1/compliance/matches?status=open');
      return (matches as readonly Json[]).some(({ decision_id: id }) => id === decision);
    });
  }

  /** A token of the development identity provider. */
  async token(claims: object): Promise<string> {
    const headers = { 'x-dev-secret': this.service.devSecret(), 'Content-Type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(claims) };
    const answer = await fetch(`${this.service.baseUrl}/dev/token`, sent);
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  }
}

/** Presses a button of the menu behind the name of who is signed in. */
export const inMenu = async (page: Page, button: string): Promise<void> => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('button', { name: button }).click();
};
