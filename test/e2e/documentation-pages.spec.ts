import { type Browser, type Page } from 'playwright-core';
import { ALL_ERROR_CODES } from '../../src/http/documentation/example-error.js';
import { chapterOf } from '../../src/http/failure.js';
import { complaintsOf, inBrowser, keyboardFaults, launchBrowser, looksFaulty } from '../support/browser.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';

inBrowser('documentation pages')('a stranger in a browser', () => {
  let deployment: SharedDeployment;
  let browser: Browser;

  beforeAll(async () => {
    deployment = await SharedDeployment.take();
    browser = await launchBrowser();
  }, 90_000);
  afterAll(async () => {
    await deployment.leave();
    await browser.close();
  });

  const open = async (path: string, width: number, colorScheme: 'light' | 'dark') => {
    const page: Page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(60_000);
    const complaints = complaintsOf(page);
    await page.goto(`${deployment.http.baseUrl}${path}`);
    return { page, complaints };
  };

  const search = async (page: Page, words: string): Promise<readonly string[]> => {
    await page.keyboard.press('Control+K');
    await page.keyboard.type(words);
    return page.locator('#search li').allInnerTexts();
  };

  it.each([
    [400, 'dark'],
    [1_280, 'light'],
  ] as const)(
    'reads the docs at %d px in %s colours',
    async (width, colours) => {
      const { page, complaints } = await open('/docs#checkEligibility', width, colours);
      const operation = page.locator('#checkEligibility');
      expect(await operation.locator('.block').first().innerText()).toContain('-H "X-API-Key: $API_KEY"');
      expect(await operation.innerText()).toContain("client.POST('/api/v1/check-eligibility'");
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      const ids = await page.evaluate<string[]>("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
      expect([beyond, complaints]).toEqual([0, []]);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      expect(ALL_ERROR_CODES.map(chapterOf).filter((id) => !ids.includes(id))).toEqual([]);
      await page.close();
    },
    120_000,
  );

  it('finds every operation folded by its group, and is led to one by its name', async () => {
    const { page } = await open('/docs', 1_280, 'light');
    expect(await page.locator('.operation').first().isVisible()).toBe(false);
    await page.goto(`${deployment.http.baseUrl}/docs#getCreditBalance`);
    const operation = page.locator('#getCreditBalance');
    await operation.getByText('Needs an API key').waitFor();
    const top = await operation.evaluate((each) => each.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(200);
    await page.close();
  }, 120_000);

  it.each([
    ['IDEMPOTENCY', 'Idempotency', 'Chapter'],
    ['credit BALANCE', 'GET /billing/credits', 'Operation'],
    ['invalid_phone', 'INVALID_PHONE', 'Error'],
    ['Sanctions.Match', 'sanctions.match', 'Event'],
  ])(
    'searches %s by keyboard',
    async (words, title, kind) => {
      const { page } = await open('/docs', 1_280, 'light');
      const [first = ''] = await search(page, words);
      expect([first.includes(title), first.includes(kind)]).toEqual([true, true]);
      await page.keyboard.press('Enter');
      expect(await page.locator('#search').isVisible()).toBe(false);
      expect(new URL(page.url()).hash.length).toBeGreaterThan(1);
      await page.close();
    },
    120_000,
  );

  it('copies a command', async () => {
    const { page } = await open('/docs#checkEligibility', 1_280, 'light');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#checkEligibility').getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('curl -X POST "$BASE_URL');
    await page.close();
  }, 120_000);

  it('tries an operation with its prefilled body, and again with another, and gets the answer of each', async () => {
    const { page, complaints } = await open('/docs#ingest', 1_280, 'light');
    await page.getByLabel('API key').fill((await deployment.operator.tenant()).apiKey);
    const ingest = page.locator('#ingest form');
    const answer = async (): Promise<string> => {
      await ingest.getByRole('button', { name: 'Send POST' }).click();
      await ingest.locator('output', { hasText: /^\d/ }).waitFor();
      return ingest.locator('output').innerText();
    };
    const first = await answer();
    expect(first).toMatch(/^202\n/);
    await ingest.getByLabel('Body').fill('{"email":"no address"}');
    await ingest.locator('output').evaluate((output) => (output.textContent = ''));
    expect(await answer()).toMatch(/^400\n[^]*MISSING_FIELD/);
    expect(complaints.filter((complaint) => !complaint.includes('status of 400'))).toEqual([]);
    await page.close();
  }, 120_000);

  it('finds the docs from the root, by keyboard', async () => {
    const { page, complaints } = await open('/', 400, 'light');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs');
    expect(await page.title()).toBe('KYC attestation network');
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  it('reads every text of both pages in any colours and at any width, and reaches everything by keyboard', async () => {
    for (const path of ['/', '/docs']) {
      const { page, complaints } = await open(path, 1_280, 'light');
      expect([path, await keyboardFaults(page)]).toEqual([path, []]);
      if (path === '/docs') {
        await page.goto(`${deployment.http.baseUrl}/docs#checkEligibility`);
        await page.locator('#checkEligibility form').waitFor();
      }
      expect([path, await looksFaulty(page)]).toEqual([path, []]);
      expect(complaints).toEqual([]);
      await page.close();
    }
  }, 240_000);
});
