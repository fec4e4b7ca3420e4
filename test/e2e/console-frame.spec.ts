import { inBrowser } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { runningService } from '../support/running-service.js';

const PERSON = {
  email: 'frame@example.org',
  phone_number: '+12025550188',
  full_name: 'Frieda Frame',
  kyc_status: 'APPROVED',
} as const;

inBrowser('console: frame')('the frame of the console', () => {
  const service = runningService();
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  const refresh = () => visit.page.getByRole('button', { name: 'Refresh' }).click();

  it('says whose page it is, what the account has, and which screen is open', async () => {
    const { page } = visit;
    const { credits } = await visit.call('/billing/credits');
    await page
      .getByRole('banner')
      .getByText(`${Number(credits).toLocaleString('en')} credits`)
      .waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await page.title()).toMatch(/^API keys · .+ · KYC$/);
    const account = (await page.title()).split(' · ')[1] ?? '';
    await page.getByRole('banner').getByText(account, { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'API keys' }).getAttribute('aria-current')).toBe('page');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('API keys');
    await page.getByText(/^As of \d\d:\d\d/).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('takes Back to the filter before, and has a page for an address that names no screen', async () => {
    const { page } = visit;
    await visit.open('/usage');
    await page.getByLabel('Days').selectOption('90');
    await page.waitForURL(/days=90/);
    await page.getByLabel('Days').selectOption('7');
    await page.waitForURL(/days=7/);
    await page.goBack();
    await page.waitForURL(/days=90/);
    expect(await page.getByLabel('Days').inputValue()).toBe('90');
    await visit.open('/nowhere/at-all');
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor();
    await page.getByRole('link', { name: 'Go to the first screen' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('jumps to a screen by its name, and to an identity by its id', async () => {
    const { page } = visit;
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^Jump to/ });
    await field.fill('webhooks');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.getByRole('button', { name: /^Jump to/ }).click();
    await field.fill(`idn_${'0'.repeat(32)}`);
    await page.getByRole('option', { name: 'Identity', exact: true }).click();
    await page.getByText('This account has no such identity').waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('u');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
    // It has no certificate of erasure either.
    expect(visit.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
  });

  it('copies as curl what the screen asked, and what a form would send', async () => {
    const { page } = visit;
    await page.evaluate(`navigator.clipboard.writeText = (text) => Promise.resolve((window.copied = text))`);
    const copied = async () => {
      await page.getByRole('button', { name: 'Copy as curl' }).first().click();
      return page.evaluate<string>('window.copied');
    };
    await page.getByRole('link', { name: 'Credentials' }).click();
    await page.getByRole('combobox', { name: /^Show/ }).selectOption('revoked');
    await page.waitForURL(/status=revoked/);
    expect(await copied()).toContain('/api/v1/credentials?status=revoked');
    await page.getByRole('link', { name: 'Screen and assess' }).click();
    await page.getByLabel('Full name').fill("Conan O'Brien");
    expect(await copied()).toContain(`-d '{"full_name":"Conan O'\\''Brien"}'`);
    expect(visit.complaints).toEqual([]);
  });

  it('shows who was quicker with a match, and keeps the reason that was typed', async () => {
    const { page } = visit;
    await visit.screen({ full_name: 'Potential Testmatch', date_of_birth: '1971-02-03' });
    await visit.open('/matches');
    await page
      .getByRole('button', { name: /^Dismiss:/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Another passport');
    const { matches } = await visit.call('/api/v1/compliance/matches?status=open');
    for (const { match_id: id } of matches as { match_id: string }[])
      await visit.call(`/api/v1/compliance/matches/${id}/confirm`, { note: 'The same passport' });
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await dialog.getByText(/confirmed/).waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Another passport');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No match waits for a decision.').waitFor();
  });

  it('asks to sign in again over the page where the session ends, and keeps what was typed', async () => {
    const { page } = visit;
    await page.evaluate(`fetch('/console/session', {
      method: 'POST',
      headers: { 'X-Console': '1', 'Content-Type': 'application/json' },
      body: '${JSON.stringify({ api_key: service.demo().api_key })}',
    })`);
    await visit.open('/keys');
    await page.getByRole('cell').first().waitFor();
    await page.getByLabel('Name').fill('Half written');
    await page.context().clearCookies();
    await refresh();
    const dialog = page.getByRole('dialog', { name: 'The session has ended' });
    await dialog.getByLabel('API key').fill(service.demo().api_key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Half written');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('cell', { name: 'Half written', exact: true }).waitFor();
  });

  it('leaves a page as it is where another tab takes another role, and asks', async () => {
    const { page } = visit;
    await visit.open('/keys');
    await page.getByRole('cell').first().waitFor();
    await page.getByLabel('Name').fill('Still here');
    // As another tab of this browser does it.
    const switched = await page.evaluate(`fetch('/console/session/role', {
      method: 'POST',
      headers: { 'X-Console': '1', 'Content-Type': 'application/json' },
      body: '{"role": "operator"}',
    }).then(({ status }) => status)`);
    expect(switched).toBe(200);
    await refresh();
    const dialog = page.getByRole('dialog', { name: 'The session has ended' });
    await dialog.getByRole('heading', { name: 'This browser is signed in otherwise now' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Still here');
    await dialog.getByRole('button', { name: 'Go on as operator' }).click();
    await page.getByText('Operator', { exact: true }).waitFor();
  });

  it('offers for an identity what its state allows, and knows one that is not there', async () => {
    const { page } = visit;
    await visit.call('/api/v1/ingest', PERSON);
    const { email, phone_number } = PERSON;
    const { identities } = await visit.call('/api/v1/identities/search', { email, phone_number });
    const id = (identities as { identity_id: string }[])[0]?.identity_id ?? '';
    await visit.open(`/identities/${id}`);
    const button = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}:`) });
    await button('Delete').click();
    await page.getByLabel('Type delete to confirm').fill('delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await button('Restore').waitFor();
    expect(await button('Delete').count()).toBe(0);
    await page.getByText('deleted', { exact: true }).first().waitFor();
    await button('Restore').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await button('Delete').waitFor();
    expect(await button('Restore').count()).toBe(0);
    await visit.open(`/identities/idn_${'0'.repeat(32)}`);
    await page.getByText('This account has no such identity').waitFor();
    await visit.open('/identities/nobody');
    await page.getByText('No identity has such an id').waitFor();
  });

  it('refuses a recharge below nothing at its field', async () => {
    const { page } = visit;
    await visit.open('/plan');
    await page.getByLabel('below').fill('-5');
    await page.getByText('A whole number of credits, 1 or more.').waitFor();
    expect(await page.getByRole('button', { name: /^Switch on/ }).isDisabled()).toBe(true);
  });

  it('folds its screens into a menu on a narrow page', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 400, height: 900 });
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await screens.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await screens.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await screens.waitFor({ state: 'hidden' });
    expect(visit.complaints).toEqual([]);
  });

  it('reads again by itself once the service answers', async () => {
    const { page } = visit;
    await visit.open('/keys');
    await page.getByRole('cell').first().waitFor();
    await service.kill9();
    await refresh();
    await page.getByText('The service does not answer.').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    expect(await page.getByRole('cell').count()).toBeGreaterThan(0);
    await service.restart();
    await page.getByText('The service does not answer.').first().waitFor({ state: 'detached', timeout: 60_000 });
  }, 120_000);
});
