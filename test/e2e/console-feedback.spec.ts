import { inBrowser, looksFaulty } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { eventually } from '../support/processes.js';
import { runningService } from '../support/running-service.js';

const PERSON = {
  email: 'fiona@example.org',
  phone_number: '+12025550177',
  full_name: 'Fiona Feedback',
  kyc_status: 'APPROVED',
} as const;

inBrowser('console: feedback')('what the console says of an act', () => {
  const service = runningService();
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  const identity = async (): Promise<string> => {
    await visit.call('/api/v1/ingest', PERSON);
    const { email, phone_number } = PERSON;
    const { identities } = await visit.call('/api/v1/identities/search', { email, phone_number });
    return (identities as { identity_id: string }[])[0]?.identity_id ?? '';
  };

  it('leads a new account through its first steps, each ticked off by what happened', async () => {
    const { page } = visit;
    const step = (name: string) => page.locator('.steps li').filter({ hasText: name });
    await step('Hold an API key').getByRole('img', { name: 'done' }).waitFor();
    await step('Send a first record').getByRole('img', { name: 'to do' }).waitFor();
    expect(await looksFaulty(page)).toEqual([]);
    await step('Send a first record')
      .getByRole('button', { name: /^Run it here/ })
      .click();
    await step('Send a first record').getByRole('img', { name: 'done' }).waitFor();
    const asking = step('Ask whether a person is known');
    await asking.getByRole('button', { name: 'Run it here, 1 credit' }).click();
    await asking.getByRole('img', { name: 'done' }).waitFor();
    expect(await asking.getByLabel('The answer').innerText()).toContain('"tier": "Tier2"');
    expect((await visit.call('/billing/credits'))['credits']).toBe(999);
    await step('Receive events').getByRole('link', { name: 'Add an endpoint' }).click();
    await page.getByText('No endpoint yet').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('names a deletion, and takes it back', async () => {
    const { page } = visit;
    await visit.open(`/identities/${await identity()}`);
    await page.getByRole('button', { name: /^Delete:/ }).click();
    await page.getByLabel('Type delete to confirm').fill('delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const done = page.getByRole('log', { name: 'Done' });
    await done.getByText('was deleted').waitFor();
    await page.getByRole('button', { name: /^Restore:/ }).waitFor();
    expect(await looksFaulty(page)).toEqual([]);
    await done.getByRole('button', { name: 'Undo' }).click();
    await done.getByText('Undone').waitFor();
    await page.getByRole('button', { name: /^Delete:/ }).waitFor();
    // No erasure of it is proposed or certified.
    expect(visit.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
  });

  it('takes back a judgement of one person, with the reason in its history', async () => {
    const { page } = visit;
    await visit.screen({ full_name: 'Potential Testmatch', date_of_birth: '1971-02-03' });
    await visit.open('/matches');
    await page
      .getByRole('button', { name: /^Dismiss:/ })
      .first()
      .click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Another passport');
    await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
    const done = page.getByRole('log', { name: 'Done' });
    await done.getByText(/^Decided: not/).waitFor();
    await page.getByText('0 open').waitFor();
    await done.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 open').waitFor();
    await page.getByRole('button', { name: /^Dismiss:/ }).waitFor();
    const { matches } = await visit.call('/api/v1/compliance/matches?status=open');
    const [{ match_id: id } = { match_id: '' }] = matches as { match_id: string }[];
    const { history } = await visit.call(`/api/v1/compliance/matches/${id}`);
    expect(JSON.stringify(history)).toContain('Taken back at once');
  });

  it('puts a fault at its field, and keeps what was typed', async () => {
    const { page } = visit;
    await visit.open('/keys');
    await page.getByLabel('Name').fill('Branch office');
    await page.getByLabel('From these addresses only').fill('nowhere');
    await page.getByRole('button', { name: 'Create key' }).click();
    const field = page.locator('input[name="allowed_addresses"]');
    await eventually('the fault', async () => (await field.getAttribute('aria-invalid')) === 'true');
    const described = (await field.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(/address/);
    expect(await page.getByLabel('Name').inputValue()).toBe('Branch office');
    expect(await looksFaulty(page)).toEqual([]);
  });

  it('looks a person up from anywhere, without a word of it in the address', async () => {
    const { page } = visit;
    const id = await identity();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Jump to/ }).fill(`${PERSON.email} ${PERSON.phone_number}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Identities' }).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(PERSON.email);
    expect(page.url()).not.toMatch(/fiona|2025550177/);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForURL(new RegExp(id));
  });

  it('goes back to the place where the reader was, and begins another screen at its top', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 1_280, height: 300 });
    await visit.open('/usage');
    await page.getByText('Show as a table').first().waitFor();
    await page.evaluate('scrollTo(0, 200)');
    const scrolled = () => page.evaluate<number>('scrollY');
    await eventually('the scrolling', async () => (await scrolled()) >= 200);
    const place = await scrolled();
    await page.evaluate(`document.querySelector('nav a[href$="/keys"]').click()`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await eventually('the place', async () => Math.abs((await scrolled()) - place) < 2);
    await page.getByText('Show as a table').first().click();
    await page.getByRole('region', { name: /as a table$/ }).waitFor();
  });
});
