import { inBrowser, looksFaulty } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';

const PERSON = { email: 'olga@example.org', phone_number: '+12025550166', full_name: 'Olga Example' };
const BORN = '1990-04-23';

inBrowser('console: offers to wallets')('offers to wallets in the console', () => {
  const service = runningService({ env: LONG_STORE_BUDGET_MS });
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  it('are shown as a QR code, and withdrawn', async () => {
    const { page } = visit;
    await visit.call('/api/v1/ingest', { ...PERSON, date_of_birth: BORN, kyc_status: 'APPROVED', tier: 'Tier2' });
    const token = await visit.token({ tenant_id: service.demo().tenant_id, scope: 'credentials:issue' });
    const offered = await fetch(`${service.baseUrl}/api/v1/issue/offer`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...PERSON, dob: BORN }),
    });
    expect(offered.status).toBe(201);
    const { deep_link: link } = (await offered.json()) as { readonly deep_link: string };
    expect(link).toMatch(/^openid-credential-offer:/);
    await visit.open('/credentials');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('img', { name: 'QR code of the offer' }).waitFor();
    expect(await page.getByRole('link', { name: 'Open it in a wallet on this device' }).getAttribute('href')).toMatch(
      /^openid-credential-offer:/,
    );
    expect(await looksFaulty(page)).toEqual([]);
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByLabel('Offers, newest first').getByText('ended').waitFor();
    await page.getByRole('img', { name: 'QR code of the offer' }).waitFor({ state: 'detached' });
    expect(visit.complaints).toEqual([]);
  });
});
