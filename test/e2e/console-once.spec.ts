import { type Request } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { ConsoleVisit, inMenu } from '../support/console.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

/** No limit that a test would meet, but that of sessions. */
const UNLIMITED = { SANDBOX_RATE_LIMIT: '100000' };
const PERSON = { email: 'ada@example.org', phone_number: '+12025550171' };
const HOME_ASKS_EVERY = 2_000;

inBrowser('console: paid once')('what a screen of the console pays for and asks for', () => {
  const service = runningService({ env: UNLIMITED });
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  const balance = async (): Promise<number> => Number((await visit.call('/billing/credits'))['credits']);

  /** The requests of the page to this path of the API, from now on. */
  const sentTo = (path: string): readonly Request[] => {
    const sent: Request[] = [];
    visit.page.on('request', (request) => {
      if (new URL(request.url()).pathname === `/console/api${path}`) sent.push(request);
    });
    return sent;
  };
  const keysOf = (sent: readonly Request[]): readonly unknown[] => [
    ...new Set(sent.map((request) => request.headers()['idempotency-key'])),
  ];

  /** What was pressed has sent its requests, and they were answered. */
  const settled = async (sent: readonly Request[]): Promise<void> => {
    await visit.page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done)))');
    await Promise.all(sent.map((request) => request.response()));
  };

  /** The next answer to this path is lost on its way, after the service gave it. */
  const loseAnswer = (path: string): Promise<unknown> =>
    visit.page.route(
      `**/console/api${path}`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );

  it('pays once for a check whose button is pressed twice', async () => {
    const { page } = visit;
    await visit.open('/check');
    await page.getByLabel('Full name').fill('Potential Testmatch');
    const button = page.getByRole('button', { name: /^Run for/ });
    const cost = Number(/\d+/.exec(await button.innerText())?.[0]);
    const before = await balance();
    const sent = sentTo('/api/v1/compliance/sanctions');
    await button.dblclick();
    await page.getByText('potential match').first().waitFor();
    await settled(sent);
    expect(await balance()).toBe(before - cost);
  });

  it('pays once for a double click whose first half was answered already', async () => {
    const { page } = visit;
    await visit.open('/check');
    await page.getByLabel('Full name').fill('Potential Testmatch');
    const button = page.getByRole('button', { name: /^Run for/ });
    const cost = Number(/\d+/.exec(await button.innerText())?.[0]);
    const before = await balance();
    const sent = sentTo('/api/v1/compliance/sanctions');
    await button.click();
    await page.getByRole('status').waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await settled(sent);
    expect(await balance()).toBe(before - cost);
  });

  it.each([
    ['sanctions_check', 'Sanctions lists', 'Full name', 'Potential Testmatch', '/api/v1/compliance/sanctions'],
    ['pep_check', 'Politically exposed persons', 'Full name', 'Potential Testmatch', '/api/v1/compliance/pep'],
  ])('pays once for a %s that is run again since its answer was lost', async (check, _, field, name, path) => {
    const { page } = visit;
    await visit.open(`/check?check=${check}`);
    await page.getByLabel(field).fill(name);
    const button = page.getByRole('button', { name: /^Run for/ });
    const cost = Number(/\d+/.exec(await button.innerText())?.[0]);
    const before = await balance();
    await loseAnswer(path);
    await button.click();
    await page.getByRole('alert').waitFor();
    await button.click();
    await page.getByRole('status').waitFor();
    expect(await balance()).toBe(before - cost);
  });

  it('pays once for a report whose button is pressed twice', async () => {
    const { page } = visit;
    await visit.open('/documents');
    const button = page.getByRole('button', { name: /^Request for/ });
    const cost = Number(/\d+/.exec(await button.innerText())?.[0]);
    const before = await balance();
    const sent = sentTo('/api/v1/compliance/report');
    await button.dblclick();
    await page.getByRole('link', { name: 'Download' }).first().waitFor();
    await settled(sent);
    expect(keysOf(sent)).toEqual([expect.any(String)]);
    expect(await balance()).toBe(before - cost);
  });

  it('opens one payment page where the button is pressed twice', async () => {
    const { page } = visit;
    await visit.open('/plan');
    const sent = sentTo('/billing/checkout/credits');
    await page
      .getByRole('button', { name: /credits for \$/ })
      .first()
      .dblclick();
    await page.waitForURL((url) => url.pathname !== '/console/plan' || url.search !== '');
    expect(keysOf(sent)).toEqual([expect.any(String)]);
  });

  it('adjusts credits once, though an operator confirms again since the answer was lost', async () => {
    const { page } = visit;
    const before = await balance();
    await inMenu(page, 'Switch to operator');
    await page.getByRole('link', { name: 'Demo account' }).click();
    await page.getByRole('button', { name: 'Adjust credits' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Credits, signed').fill('50');
    await dialog.getByLabel('Reason').fill('An outage of last week');
    await dialog.getByLabel('Type adjust to confirm').fill('adjust');
    await loseAnswer('/admin/accounts/*/credits');
    const confirm = dialog.getByRole('button', { name: 'Adjust', exact: true });
    await confirm.click();
    await dialog.getByRole('alert').waitFor();
    await confirm.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await balance()).toBe(before + 50);
  });

  it.each([
    ['report', /^Request for/, '/api/v1/compliance/reports'],
    ['export', /^Export all/, '/api/v1/data-export'],
  ])('shows a requested %s before the list knows it, then its file', async (_, name, list) => {
    const { page } = visit;
    await visit.open('/documents');
    const links = page.getByRole('link', { name: 'Download' });
    await page.getByRole('heading', { name: 'Data exports' }).waitFor();
    await page.waitForLoadState('networkidle');
    const before = await links.count();
    // The read model of the list is behind: the first looks at it do not see the new row.
    let hidden = 2;
    let seen = new Set<string>();
    await page.route(`**/console/api${list}?*`, async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as Record<'reports' | 'exports', Record<string, string>[]>;
      const [member = 'reports'] = Object.keys(json) as ('reports' | 'exports')[];
      const idOf = (row: Record<string, string>): string => row['report_id'] ?? row['export_id'] ?? '';
      if (hidden > 0) json[member] = json[member].filter((row) => seen.has(idOf(row)));
      else seen = new Set(json[member].map(idOf));
      hidden -= 1;
      await route.fulfill({ response: answer, json });
    });
    await page.getByRole('button', { name }).click();
    await page.getByText('generating').or(links.nth(before)).first().waitFor();
    await links.nth(before).waitFor();
  });

  it('is asked by Home for what is new at most every two seconds, however much happens', async () => {
    const { page } = visit;
    await page.getByRole('heading', { name: 'Recent activity' }).waitFor();
    await page.waitForLoadState('networkidle');
    const asked = sentTo('/billing/overview');
    const from = Date.now();
    for (let event = 0; event < 60; event += 1) {
      const record = { ...PERSON, email: `${event}@example.org`, full_name: 'Ada Example', kyc_status: 'APPROVED' };
      await visit.call('/api/v1/ingest', record);
    }
    await visit.call('/api/v1/check-eligibility', { ...PERSON, email: '0@example.org' });
    const shown = String((await balance()).toLocaleString('en'));
    await eventually('the balance', async () => (await page.locator('.figures dd').first().innerText()) === shown);
    expect(asked.length).toBeLessThanOrEqual(Math.ceil((Date.now() - from) / HOME_ASKS_EVERY) + 1);
  });

  it('shows a screen whose file could not be loaded once', async () => {
    const { page } = visit;
    await page.route('**/console/assets/decisions-*.js', (route) => route.abort(), { times: 1 });
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'Decisions' }).click();
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  });

  it('says of a screen whose file cannot be loaded that it cannot, and leads to the others', async () => {
    const { page } = visit;
    await page.route('**/console/assets/decisions-*.js', (route) => route.abort());
    await page.reload();
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.getByRole('link', { name: 'Decisions' }).click();
    await page.getByRole('alert').waitFor();
    expect(loads).toBeLessThanOrEqual(1);
    await page.getByRole('link', { name: 'Match queue' }).click();
    await page.getByRole('heading', { name: 'Match queue' }).waitFor();
  });

  it('opens the screens of an open page without a load after an upgrade has taken their files away', async () => {
    const { page } = visit;
    const decisions = page.waitForResponse('**/console/assets/decisions-*.js');
    let newest = performance.now();
    page.on('response', () => (newest = performance.now()));
    await page.reload();
    await decisions;
    // All screens' files are asked for at once.
    await eventually('all files', () => performance.now() - newest > 1_000);
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.route('**/console/assets/**', (route) => route.abort());
    for (const screen of ['Decisions', 'Webhooks', 'Usage']) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      await page.getByRole('heading', { name: screen, exact: true }).waitFor();
    }
    expect(loads).toBe(0);
  });
});
