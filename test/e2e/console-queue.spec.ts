import { inBrowser, looksFaulty } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { type Json } from '../support/load/http.js';
import { eventually } from '../support/processes.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';

/** Near a sandbox entry of each of the three lists, in another country than it. */
const SCREENED = { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01', country: 'FR' };

inBrowser('console: match queue')('the queue of matches', () => {
  const service = runningService({ env: LONG_STORE_BUDGET_MS });
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  const rows = () => visit.page.getByRole('list', { name: 'Matches: open' }).getByRole('listitem');
  const pane = () => visit.page.getByRole('region', { name: 'The match' });
  const matches = async (status: string): Promise<readonly Json[]> =>
    (await visit.call(`/api/v1/compliance/matches?status=${status}`))['matches'] as Json[];

  it('shows the person and the listed entry side by side, and why they match, as one recorded reading', async () => {
    await visit.screen(SCREENED);
    await visit.open('/matches');
    await rows().first().waitFor();
    await pane().getByRole('heading', { name: 'Confirmed Testmatch ↔ Confirmed Testmatch' }).waitFor();
    const country = pane().getByRole('row', { name: /^Country/ });
    expect(await country.getByRole('cell').allTextContents()).toEqual(['FR', 'CH', '✗']);
    await country.getByRole('img', { name: 'contradicts' }).waitFor();
    expect(await pane().locator('mark').allTextContents()).toEqual(
      expect.arrayContaining(['Confirmed', 'Testmatch', '1970', '01']),
    );
    await pane().getByText('Country FR differs from the listed CH.').waitFor();
    expect(await looksFaulty(visit.page)).toEqual([]);
    const { logs } = await visit.call('/api/v1/compliance/audit-log?action=matches_revealed');
    expect((logs as Json[])[0]).toMatchObject({ records: 3, actor: { type: 'member' } });
    expect(visit.complaints).toEqual([]);
  });

  it('is worked through by the keyboard: the next match opens where one was decided', async () => {
    const { page } = visit;
    await visit.open('/matches');
    await rows().nth(2).waitFor();
    const open = () => page.locator('.queue li.open').innerText();
    const names = await rows().allInnerTexts();
    await page.keyboard.press('j');
    await eventually('the second', async () => (await open()).startsWith(names[1]?.split(' ago')[0] ?? ''));
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog');
    expect(await dialog.locator('datalist option').count()).toBeGreaterThan(2);
    // Letters that are typed press nothing.
    await page.keyboard.type('Another person, jck');
    await page.keyboard.press('Enter');
    await eventually('the next', async () => (await rows().count()) === 2);
    await eventually('the third', async () => (await open()).startsWith(names[2]?.split(' ago')[0] ?? ''));
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 matches chosen').waitFor();
    await page.getByRole('button', { name: /^Confirm all/ }).click();
    await dialog.getByLabel('Reason').fill('The same document');
    await dialog.getByRole('button', { name: 'Confirm all' }).click();
    await page.getByText('No match waits for a decision.').waitFor();
    expect(await matches('dismissed')).toHaveLength(1);
    expect(await matches('confirmed')).toHaveLength(2);
    expect((await matches('dismissed'))[0]).toMatchObject({
      note: 'Another person, jck',
      decided_by: { type: 'member' },
    });
    expect(visit.complaints).toEqual([]);
  });

  it('is a list and a page on a narrow screen', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 400, height: 800 });
    await visit.open('/matches?status=confirmed');
    await page
      .getByRole('button', { name: /^Confirmed Testmatch/ })
      .first()
      .click();
    await pane().getByText('The same document').waitFor();
    expect(await page.getByRole('list', { name: 'Matches: confirmed' }).isVisible()).toBe(false);
    await pane().getByText('History').click();
    await pane()
      .getByText(/confirmed by Demo owner/)
      .waitFor();
    await page.getByRole('button', { name: 'All matches' }).click();
    await page.getByRole('list', { name: 'Matches: confirmed' }).waitFor();
    expect(await pane().isVisible()).toBe(false);
  });
});
