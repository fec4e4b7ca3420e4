import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ALL_ERROR_CODES } from '../../src/platform/http/documentation/error-codes.js';
import { chapterOf } from '../../src/platform/http/failure.js';
import { runningService } from '../support/running-service.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
if (CHROMIUM === undefined)
  process.stderr.write('documentation pages: SKIPPED, since there is no Chromium (apt-get install chromium)\n');
const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser('a stranger in a browser', () => {
  const service = runningService();
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(() => browser.close());

  const open = async (path: string, width: number, colorScheme: 'light' | 'dark') => {
    const page: Page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${service.baseUrl}${path}`);
    return { page, complaints };
  };

  it.each([
    [400, 'dark'],
    [1_280, 'light'],
  ] as const)(
    'reads the docs at %d px in %s colours',
    async (width, colours) => {
      const { page, complaints } = await open('/docs', width, colours);
      const operation = page.locator('#operations-Eligibility-checkEligibility');
      await operation.locator('.opblock-summary-control').press('Enter', { noWaitAfter: true });
      expect(await operation.locator('.curl-command').innerText()).toContain('-H "X-API-Key: $API_KEY"');
      await operation.getByRole('button', { name: 'Try it out' }).waitFor();
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
});
