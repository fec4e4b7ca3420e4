import { inBrowser, looksFaulty } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { type Json } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { eventually } from '../support/processes.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';

inBrowser('console: requests')('the requests of an account in the console', () => {
  const service = runningService({ env: LONG_STORE_BUDGET_MS });
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  it('are counted and listed by how they ended, and each leads to what it caused', async () => {
    const { page } = visit;
    await visit.call('/api/v1/ingest', { ...person(71), kyc_status: 'APPROVED' });
    await visit.call('/api/v1/check-eligibility', enquiry(person(71)));
    await eventually('the check in the log', async () => {
      const { requests } = await visit.call('/api/v1/requests?route=/api/v1/check-eligibility');
      return (requests as Json[]).length > 0;
    });
    await visit.open('/requests?by=anyone');
    await page.getByRole('heading', { name: /requests?, \d+ refused/ }).waitFor();
    expect(await looksFaulty(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('5xx');
    await page.getByText('No such request in 30 days').waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('');
    await page.getByRole('link', { name: 'POST /api/v1/check-eligibility' }).first().click();
    await page.getByRole('heading', { name: '1 transaction' }).waitFor();
    await page.getByText('for 1 credit').waitFor();
    await page.getByRole('heading', { name: '1 audit entry' }).waitFor();
    expect(await looksFaulty(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show them in the audit log' }).click();
    await page
      .getByRole('link', { name: /^[0-9a-f]{8}…[0-9a-f]{4}$/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
    expect(visit.complaints).toEqual([]);
  });
});
