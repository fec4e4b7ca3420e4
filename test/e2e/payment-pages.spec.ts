import { type Browser, type Page } from 'playwright-core';
import { complaintsOf, inBrowser, keyboardFaults, launchBrowser, looksFaulty } from '../support/browser.js';
import { demoCredits, runningService } from '../support/running-service.js';
import { SLOWNESS } from '../support/processes.js';
import { eventually } from '../support/stack.js';

inBrowser('payment pages')('a person in a browser, everything embedded', () => {
  const service = runningService();
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser.close());
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(15_000 * SLOWNESS);
  });
  afterEach(() => page.close());

  /** Pages of the service itself: the browser has nothing else to land on. */
  const pages = () => ({
    success_url: `${service.baseUrl}/docs?paid`,
    cancel_url: `${service.baseUrl}/docs?cancelled`,
  });

  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { 'X-API-Key': service.demo().api_key, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Record<string, string>;
  };

  const openCheckout = async (kind: 'credits' | 'subscription', what: object): Promise<void> => {
    const { checkout_url: url = '' } = await post(`/billing/checkout/${kind}`, { ...what, ...pages() });
    await page.goto(url);
  };

  const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
  const tier = async (): Promise<string> => {
    const answer = await fetch(`${service.baseUrl}/billing/credits`, {
      headers: { 'X-API-Key': service.demo().api_key },
    });
    return ((await answer.json()) as { tier: string }).tier;
  };

  it('buys the small package by keyboard alone, lands on success_url and has 1,000 credits more', async () => {
    const before = await demoCredits(service);
    await openCheckout('credits', { package: 'small' });
    expect(await page.locator('main').innerText()).toContain('$120.00');
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Pay' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs?paid');
    await eventually('the credits', async () => (await demoCredits(service)) === before + 1_000);
  });

  it('cancels and has bought nothing', async () => {
    const before = await demoCredits(service);
    await openCheckout('credits', { package: 'small' });
    await press('Cancel');
    await page.waitForURL('**/docs?cancelled');
    expect(await demoCredits(service)).toBe(before);
  });

  it('sees that a card is declined, and pays with another that asks for authentication', async () => {
    const before = await demoCredits(service);
    await openCheckout('credits', { package: 'large' });
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await press('Pay');
    expect(await page.getByRole('alert').innerText()).toContain('declined');
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002');
    expect(await demoCredits(service)).toBe(before);
    await page.getByLabel('Card number').fill('4000002500003155');
    await press('Pay');
    await press('Refuse');
    expect(await page.getByRole('alert').innerText()).toContain('did not confirm');
    await page.getByLabel('Card number').fill('4000002500003155');
    await press('Pay');
    await press('Confirm');
    await page.waitForURL('**/docs?paid');
    await eventually('the credits', async () => (await demoCredits(service)) === before + 10_000);
  });

  it('subscribes, changes the tier and the card, and cancels in the portal', async () => {
    await openCheckout('subscription', { tier: 'growth' });
    await press('Pay');
    await page.waitForURL('**/docs?paid');
    await eventually('the tier', async () => (await tier()) === 'growth');
    const { portal_url: portal = '' } = await post('/billing/portal', { return_url: `${service.baseUrl}/docs` });
    await page.goto(portal);
    expect(await page.locator('main').innerText()).toMatch(/KYC attestation network[^]*Growth[^]*Subscription\s+\$/);
    await page.getByLabel('Card number').fill('4000000000000002');
    await press('Save card');
    expect(await page.getByRole('status').innerText()).toContain('saved');
    await press('Cancel at the end of the period');
    expect(await page.locator('main').innerText()).toContain('ends on');
    expect(await tier()).toBe('growth');
    await page.getByText('End it at once instead').click();
    await press('Cancel now');
    expect(await page.locator('main').innerText()).toContain('There is no subscription.');
    await eventually('the end of the subscription', async () => (await tier()) === 'starter');
    await page.getByRole('link', { name: 'Return' }).click();
    await page.waitForURL('**/docs');
  });

  it('finds a page that was opened before a restart', async () => {
    const before = await demoCredits(service);
    await openCheckout('credits', { package: 'small' });
    const url = page.url();
    await service.kill9();
    await service.restart();
    await page.goto(url);
    await press('Pay');
    await page.waitForURL('**/docs?paid');
    await eventually('the credits', async () => (await demoCredits(service)) === before + 1_000);
  });

  it('reads every text of each page in any colours and at any width, and reaches everything by keyboard', async () => {
    const complaints = complaintsOf(page);
    const inspect = async (name: string): Promise<void> => {
      expect([name, await keyboardFaults(page)]).toEqual([name, []]);
      expect([name, await looksFaulty(page)]).toEqual([name, []]);
    };
    await openCheckout('credits', { package: 'small' });
    await page.locator('summary').click();
    await inspect('checkout');
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await press('Pay');
    await inspect('declined card');
    await page.getByLabel('Card number').fill('4000002500003155');
    await press('Pay');
    await inspect('authentication');
    await press('Confirm');
    await page.waitForURL('**/docs?paid');
    const { portal_url: portal = '' } = await post('/billing/portal', { return_url: `${service.baseUrl}/docs` });
    await page.goto(portal);
    await inspect('portal');
    await page.goto(`${new URL(portal).origin}/dashboard`);
    // Ids are random, so the widest letter stands for each of theirs.
    await page.evaluate("document.querySelectorAll('td .note').forEach((id) => (id.textContent = 'W'.repeat(40)))");
    await inspect('dashboard');
    expect(complaints).toEqual([]);
  });
});
