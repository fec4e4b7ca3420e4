import { type Browser, type Locator, type Page } from 'playwright-core';
import { ALL_ERROR_CODES } from '../../src/platform/http/documentation/example-error.js';
import { chapterOf } from '../../src/platform/http/failure.js';
import { complaintsOf, inBrowser, keyboardFaults, launchBrowser, looksFaulty } from '../support/browser.js';
import { runningService } from '../support/running-service.js';

/** Swagger UI puts small links and buttons into the button of each operation, and its choices of an example have no name. */
const OF_SWAGGER_UI = ['nested-interactive', 'select-name', 'target-size'];

inBrowser('documentation pages')('a stranger in a browser', () => {
  const service = runningService();
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  const open = async (path: string, width: number, colorScheme: 'light' | 'dark') => {
    const page: Page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(60_000);
    const complaints = complaintsOf(page);
    await page.goto(`${service.baseUrl}${path}`);
    return { page, complaints };
  };

  const openOperation = async (page: Page): Promise<Locator> => {
    const operation = page.locator('#operations-Eligibility-checkEligibility');
    await operation.locator('.opblock-summary-control').press('Enter', { noWaitAfter: true });
    await operation.getByRole('button', { name: 'Try it out' }).waitFor();
    return operation;
  };

  it.each([
    [400, 'dark'],
    [1_280, 'light'],
  ] as const)(
    'reads the docs at %d px in %s colours',
    async (width, colours) => {
      const { page, complaints } = await open('/docs', width, colours);
      const operation = await openOperation(page);
      expect(await operation.locator('.curl-command').innerText()).toContain('-H "X-API-Key: $API_KEY"');
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      const ids = new Set(await page.evaluate<string[]>("[...document.querySelectorAll('[id]')].map(({ id }) => id)"));
      expect([beyond, complaints]).toEqual([0, []]);
      expect(ALL_ERROR_CODES.map(chapterOf).filter((id) => !ids.has(id))).toEqual([]);
      await page.close();
    },
    120_000,
  );

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
      if (path === '/docs') await page.locator('.opblock-summary-control').first().waitFor();
      expect([path, await keyboardFaults(page)]).toEqual([path, []]);
      if (path === '/docs') await openOperation(page);
      expect([path, await looksFaulty(page, OF_SWAGGER_UI)]).toEqual([path, []]);
      expect(complaints).toEqual([]);
      await page.close();
    }
  }, 240_000);
});
