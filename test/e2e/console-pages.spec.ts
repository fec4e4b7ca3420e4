import { inMenu } from '../support/console.js';
import { randomUUID } from 'node:crypto';
import { type Browser, type Page } from 'playwright-core';
import { complaintsOf, inBrowser, keyboardFaults, launchBrowser, looksFaulty } from '../support/browser.js';
import { SLOWNESS } from '../support/processes.js';
import { answering, noteSecrets, TestReceiver } from '../support/receiver.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

const PERSON = { email: 'grace@example.org', phone_number: '+12025550145' };
const SCREENS = ['/console', '/console/balance', '/console/audit', '/console/matches', '/console/webhooks'];

inBrowser('console pages')('a tenant in the console', () => {
  const service = runningService({ env: LONG_STORE_BUDGET_MS });
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];
  let receiver: TestReceiver;

  const call = async (path: string, body: object): Promise<void> => {
    const headers = { 'X-API-Key': service.demo().api_key, 'Content-Type': 'application/json', Prefer: 'wait=5' };
    const answer = await fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, answer.ok]).toEqual([path, true]);
    noteSecrets(await answer.text());
  };
  const ingest = () => call('/api/v1/ingest', { ...PERSON, full_name: 'Grace Example', kyc_status: 'APPROVED' });
  const check = () => call('/api/v1/check-eligibility', PERSON);
  /** The notes of matches in this state, as the API shows them. */
  const decidedFor = async (status: string): Promise<readonly (string | null)[]> => {
    const headers = { 'X-API-Key': service.demo().api_key };
    const answer = await fetch(`${service.baseUrl}/api/v1/compliance/matches?status=${status}`, { headers });
    const { matches } = (await answer.json()) as { matches: readonly { readonly note: string | null }[] };
    return matches.map(({ note }) => note);
  };

  /** Returns once the queue has a match. */
  const screen = async (): Promise<void> => {
    await call('/api/v1/compliance/sanctions', { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01' });
    await eventually('a match', async () => (await decidedFor('open')).length > 0);
  };

  /** As somebody does who follows the link that the start printed. */
  const follow = async (): Promise<void> => {
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    page.setDefaultTimeout(20_000 * SLOWNESS);
    complaints = complaintsOf(page);
    await page.goto(service.demo().console_url);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  };

  beforeAll(async () => {
    browser = await launchBrowser();
    receiver = await TestReceiver.start();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await receiver.stop();
  });
  beforeEach(follow, 90_000);
  afterEach(() => page.close());

  it('is led by the printed link to Home without a prompt, and the secret stays in no address', () => {
    expect(new URL(page.url()).hash).toBe('');
    expect(complaints).toEqual([]);
  });

  it('sees an ingestion appear without a reload', async () => {
    await ingest();
    await page.getByRole('cell', { name: 'data ingested' }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('moves the slider, and the balance shown is that of the last event shown', async () => {
    await ingest();
    for (let turn = 0; turn < 4; turn += 1) await check();
    await page.getByRole('link', { name: 'Balance history' }).click();
    const slider = page.getByRole('slider');
    await slider.waitFor();
    await slider.focus();
    const seen = new Set<string>();
    for (let turn = 0; turn < 3; turn += 1) {
      const shown = await page.locator('.balance strong').innerText();
      const newest = page.getByLabel('Transactions up to this time').locator('tbody tr').first();
      expect(await newest.locator('td').last().innerText()).toBe(shown);
      seen.add(shown);
      await page.keyboard.press('ArrowLeft');
    }
    expect(seen.size).toBe(3);
    const shown = await page.locator('.balance strong').innerText();
    await page.goto(page.url());
    await slider.waitFor();
    expect(await page.locator('.balance strong').innerText()).toBe(shown);
  });

  it.each([
    ['Dismiss', 'dismissed', 'Another date of birth in the passport'],
    ['Confirm', 'confirmed', 'The same date of birth in the passport'],
  ])(
    'decides about a match by keyboard (%s), with a reason, and it leaves the queue',
    async (button, status, reason) => {
      await screen();
      await page.getByRole('link', { name: 'Match queue' }).click();
      const waiting = page.getByRole('list', { name: /^Matches:/ }).getByRole('listitem');
      await waiting.first().waitFor();
      const before = await waiting.count();
      await page
        .getByRole('button', { name: new RegExp(`^${button}:`) })
        .first()
        .focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type(reason);
      await page.keyboard.press('Enter');
      await eventually('one match fewer', async () => (await waiting.count()) === before - 1);
      await page.getByRole('combobox', { name: /^Show/ }).selectOption(status);
      await page.getByRole('list', { name: `Matches: ${status}` }).waitFor();
      expect(await decidedFor(status)).toContain(reason);
      expect(complaints).toEqual([]);
    },
  );

  it('sends a failed delivery again, and sees it delivered without a reload', async () => {
    receiver.behaviours.set('/console', answering(500));
    await call('/api/v1/webhooks/endpoints', {
      url: receiver.url('/console'),
      events: ['identity.created', 'identity.updated'],
    });
    await ingest();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    const failing = page
      .getByRole('row')
      .filter({ has: page.getByRole('img', { name: 'attempt 1: 500' }) })
      .first();
    await failing.waitFor();
    receiver.behaviours.set('/console', answering(200));
    await failing.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('cell', { name: 'delivered' }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('filters the audit log, and a link shows a colleague the same', async () => {
    await check();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Action').selectOption('eligibility check');
    await page.getByRole('cell', { name: 'eligibility check' }).first().waitFor();
    await page.goto(page.url());
    await page.getByRole('cell', { name: 'eligibility check' }).first().waitFor();
    expect(await page.getByRole('cell', { name: 'data ingested' }).count()).toBe(0);
    const entries = page.locator('tbody tr');
    const request = (await entries.first().locator('code').getAttribute('title')) ?? '';
    await page.getByLabel('Request or identity').fill(request);
    await page.keyboard.press('Enter');
    await eventually('one entry', async () => (await entries.count()) === 1);
    await page.getByLabel('Request or identity').fill(randomUUID());
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches').waitFor();
  });

  it('goes on as the operator, sees the accounts, and signs out', async () => {
    await inMenu(page, 'Switch to operator');
    await page.getByRole('cell', { name: 'Demo account', exact: true }).waitFor();
    await inMenu(page, 'Sign out');
    await page.getByLabel('API key').fill(service.demo().api_key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it('reads every screen in any colours and at any width, and reaches everything by keyboard', async () => {
    await screen();
    for (const path of SCREENS) {
      await page.goto(`${service.baseUrl}${path}`);
      await page.locator('main table').first().waitFor();
      expect([path, await keyboardFaults(page)]).toEqual([path, []]);
      expect([path, await looksFaulty(page)]).toEqual([path, []]);
      await page.setViewportSize({ width: 1_280, height: 900 });
    }
    expect(complaints).toEqual([]);
  }, 240_000);
});
