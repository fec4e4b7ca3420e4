import { inBrowser, looksFaulty } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { type Json } from '../support/load/http.js';
import { eventually } from '../support/processes.js';
import { noteSecrets, TestReceiver } from '../support/receiver.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';

inBrowser('console: webhooks')('a developer’s endpoints in the console', () => {
  const service = runningService({ env: LONG_STORE_BUDGET_MS });
  const visit = new ConsoleVisit(service);
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await TestReceiver.start();
  });
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(async () => {
    await visit.close();
    await receiver.stop();
  });

  const endpoints = async (): Promise<readonly Json[]> =>
    (await visit.call('/api/v1/webhooks/endpoints'))['endpoints'] as Json[];
  const secretShown = async (): Promise<string> => {
    const text = await visit.page.getByText(/^whsec_/).innerText();
    noteSecrets(text);
    return text;
  };

  it('are added by a form whose faults stand at their fields, with a secret shown once', async () => {
    const { page } = visit;
    await visit.open('/webhooks');
    await page.getByText('No endpoint yet').waitFor();
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: /^Add for/ }) });
    await form.getByLabel('Address').fill('http://169.254.169.254/hook');
    await form.getByLabel('identity.created').check();
    expect(await looksFaulty(page)).toEqual([]);
    await form.getByRole('button', { name: 'Add for 1 event' }).click();
    await eventually(
      'the fault',
      async () => (await form.locator('input[name="url"]').getAttribute('aria-invalid')) === 'true',
    );
    await form.getByLabel('Address').fill(receiver.url('/console'));
    await form.getByRole('button', { name: 'Add for 1 event' }).click();
    expect(await secretShown()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.getByText(/^whsec_/).count()).toBe(0);
    expect(await endpoints()).toMatchObject([{ url: receiver.url('/console'), events: ['identity.created'] }]);
  });

  it('get what the catalogue shows, and are edited, paused, given another secret and deleted', async () => {
    const { page } = visit;
    receiver.behaviours.set('/console', (_, response) =>
      response.writeHead(422, { 'x-receiver': 'core', 'set-cookie': 'secret=1' }).end('unknown account'),
    );
    await visit.open('/webhooks');
    await page.getByRole('button', { name: 'Catalogue of events' }).click();
    const event = page.getByRole('listitem').filter({ hasText: 'credential.issued' });
    await event.getByText('credential.issued').first().click();
    await event.getByText('"credential_id"').first().waitFor();
    await event.getByRole('button', { name: 'Send this to the endpoint' }).click();
    await page.getByText(/^Test:/).waitFor();
    await page.getByRole('button', { name: 'Deliveries' }).click();
    await page.getByRole('button', { name: 'credential.issued' }).first().click();
    await page.getByText('What it answered').click();
    await page.getByText('x-receiver: core').waitFor();
    await page.getByText('unknown account').waitFor();
    await page.getByRole('button', { name: 'Edit: Edit the endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('Core banking');
    await dialog.getByLabel('credential.issued').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Core banking').waitFor();
    expect(await endpoints()).toMatchObject([
      { description: 'Core banking', events: expect.arrayContaining(['identity.created', 'credential.issued']) },
    ]);
    const [{ id } = {}] = await endpoints();
    await visit.call('/api/v1/ingest', {
      ...{ email: 'hook@example.org', phone_number: '+12025550111', full_name: 'Hook Example' },
      kyc_status: 'APPROVED',
    });
    await eventually('a delivery that waits for another try, and no test', async () => {
      const { hours } = await visit.call(`/api/v1/webhooks/endpoints/${String(id)}/health`);
      const sumOf = (state: string) => (hours as readonly Json[]).reduce((sum, hour) => sum + Number(hour[state]), 0);
      expect((hours as readonly Json[]).length).toBe(24);
      expect(['delivered', 'failed', 'pending'].map(sumOf)).toEqual([0, 0, 1]);
      return true;
    });
    await page.reload();
    await page.getByText('0 delivered, 1 wait').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: /^Rotate secret/ }).click();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await secretShown();
    expect(await looksFaulty(page)).toEqual([]);
    await page.getByRole('button', { name: /^Delete:/ }).click();
    await dialog.getByLabel('Type delete to confirm').fill('delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoint yet').waitFor();
    expect(await endpoints()).toEqual([]);
  });
});
