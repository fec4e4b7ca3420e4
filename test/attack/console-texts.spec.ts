import { inBrowser } from '../support/browser.js';
import { ConsoleVisit, inMenu } from '../support/console.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

/** It would tell in `window.stolen` that it ran. */
const SCRIPT = `"><img src=x onerror="window.stolen=1"><script>window.stolen=1</script>\${window.stolen=1}`;

inBrowser('console: texts of others')('a text that somebody stored', () => {
  const service = runningService({ env: { SANDBOX_RATE_LIMIT: '100000', WEBHOOKS_ALLOW_LOOPBACK: 'true' } });
  const visit = new ConsoleVisit(service);
  beforeAll(() => visit.begin(), 120_000);
  afterAll(() => visit.close());

  const store = async (): Promise<void> => {
    await visit.call('/api/v1/keys', { name: SCRIPT, scopes: ['billing'] });
    const record = { email: 'eve@example.org', phone_number: '+12025550188', full_name: SCRIPT, external_id: SCRIPT };
    await visit.call('/api/v1/ingest', { ...record, kyc_status: 'APPROVED' });
    await visit.call('/api/v1/compliance/sanctions', { full_name: 'Potential Testmatch', aliases: [SCRIPT] });
    const match = await eventually('the match', async () => {
      const { matches } = await visit.call('/api/v1/compliance/matches?status=open');
      return (matches as { match_id: string }[])[0];
    });
    await visit.call(`/api/v1/compliance/matches/${match.match_id}/dismiss`, { reason: SCRIPT });
    const hook = { url: `http://127.0.0.1:49152/${encodeURIComponent(SCRIPT)}`, events: ['identity.created'] };
    await visit.call('/api/v1/webhooks/endpoints', { ...hook, description: SCRIPT });
    const token = await visit.token({ roles: ['admin'] });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const account = JSON.stringify({ name: SCRIPT, contact_email: 'eve@example.org' });
    const opened = await fetch(`${service.baseUrl}/admin/accounts`, { method: 'POST', headers, body: account });
    expect(opened.status).toBe(201);
    const { tenant_id } = (await opened.json()) as { readonly tenant_id: string };
    const reason = JSON.stringify({ reason: SCRIPT });
    const path = `${service.baseUrl}/admin/accounts/${tenant_id}/suspend`;
    expect((await fetch(path, { method: 'POST', headers, body: reason })).status).toBe(200);
  };

  const see = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      await visit.open(path);
      await visit.page.waitForLoadState('networkidle');
      await visit.page.locator('main h1').waitFor();
      expect([path, await visit.page.evaluate('window.stolen ?? null')]).toEqual([path, null]);
    }
  };

  it('is shown as a text on every screen, and never runs', async () => {
    await store();
    const { page } = visit;
    await see(['/', '/audit', '/matches?status=dismissed', '/keys', '/webhooks', '/decisions', '/identities']);
    await visit.open('/keys');
    await page.getByText(SCRIPT).first().waitFor();
    await visit.open('/matches?status=dismissed');
    await page.getByText(SCRIPT).first().waitFor();
    await page.getByRole('link', { name: 'then and now' }).first().click();
    await page.getByRole('button', { name: /^Replay/ }).click();
    await page.getByText('reproduced', { exact: true }).waitFor();
    const identity = await visit.call('/api/v1/identities/search', {
      email: 'eve@example.org',
      phone_number: '+12025550188',
    });
    const [found] = identity['identities'] as { identity_id: string }[];
    await visit.open(`/identities/${found?.identity_id}`);
    await page.getByRole('button', { name: 'Show the record' }).click();
    await page.getByText(SCRIPT).first().waitFor();
    await inMenu(page, 'Switch to operator');
    await page.getByRole('link', { name: SCRIPT }).click();
    await page.getByText(SCRIPT).last().waitFor();
    await see(['/', '/log', '/projections', '/troubles']);
    expect(visit.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  }, 200_000);
});
