import { inBrowser, looksFaulty } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { type Json } from '../support/load/http.js';
import { eventually } from '../support/processes.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';

/** A sandbox name, which resembles a listed one. */
const PERSON = {
  email: 'resembles@example.org',
  phone_number: '+12025550144',
  full_name: 'Potential Testmatch',
  date_of_birth: '1971-02-03',
};

inBrowser('console: a person')('the page of a person', () => {
  const service = runningService({ env: LONG_STORE_BUDGET_MS });
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  const issued = async (): Promise<void> => {
    const token = await visit.token({ tenant_id: service.demo().tenant_id, scope: 'credentials:issue' });
    const { date_of_birth: dob, ...person } = PERSON;
    const answer = await fetch(`${service.baseUrl}/api/v1/issue`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...person, dob, tier: 'Tier2' }),
    });
    expect(answer.status).toBe(200);
  };

  it('has what was found, issued, asked and looked at, and screens again by one press', async () => {
    const { page } = visit;
    await visit.call('/api/v1/ingest', { ...PERSON, kyc_status: 'APPROVED', tier: 'Tier2' });
    const { email, phone_number } = PERSON;
    const { identities } = await visit.call('/api/v1/identities/search', { email, phone_number });
    const id = String((identities as readonly Json[])[0]?.['identity_id']);
    await issued();
    for (const list of ['matches', 'decisions'])
      await eventually(list, async () => {
        const found = await visit.call(`/api/v1/compliance/${list}?identity_id=${id}`);
        return (found[list] as readonly Json[]).length > 0;
      });
    const stranger = await visit.call(`/api/v1/compliance/matches?identity_id=idn_${'0'.repeat(32)}`);
    expect(stranger['matches']).toEqual([]);
    await visit.open(`/identities/${id}`);
    const rows = (label: string) => page.getByLabel(label).locator('tbody tr');
    await rows('Matches of the person, newest first').filter({ hasText: 'open' }).first().waitFor();
    await rows('Decisions of screening the person, newest first').filter({ hasText: 'Sanctions' }).first().waitFor();
    await page.getByText('Show those of the person.').click();
    await rows('Credentials of the person, newest first').filter({ hasText: 'issued' }).waitFor();
    await page.getByText('No institution asked for the record.').waitFor();
    const accesses = rows('Accesses to the person, newest first');
    await accesses.filter({ hasText: 'Credential issued' }).waitFor();
    expect(await accesses.filter({ hasText: 'Identity read' }).count()).toBe(1);
    expect(await looksFaulty(page)).toEqual([]);
    const { credits: before } = await visit.call('/billing/credits');
    const { operations } = await visit.call('/billing/pricing');
    const price = (operations as Json)['sanctions_check'] as number;
    await page.getByRole('button', { name: `Screen for sanctions again, ${price} credit` }).click();
    await page.getByRole('heading', { name: 'Result potential match' }).waitFor();
    expect((await visit.call('/billing/credits'))['credits']).toBe((before as number) - price);
    // The search above, and the record that the check was made of.
    await eventually('the reading', async () => (await accesses.filter({ hasText: 'Identity read' }).count()) === 2);
    expect(visit.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});
