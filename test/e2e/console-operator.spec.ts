import { readFile } from 'node:fs/promises';
import { inBrowser, keyboardFaults, looksFaulty } from '../support/browser.js';
import { ConsoleVisit, inMenu } from '../support/console.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

const SCREENS = ['/', '/now', '/timeline', '/projections', '/troubles', '/replay', '/log', '/transparency'];

inBrowser('console: screens of operators')('the screens of operators', () => {
  const service = runningService({ env: { FOUR_EYES_CREDITS: '1000' } });
  const visit = new ConsoleVisit(service);
  beforeEach(async () => {
    await visit.begin();
    await inMenu(visit.page, 'Switch to operator');
    await visit.page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor();
  }, 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  const operator = async (path: string): Promise<Record<string, unknown>> => {
    const headers = { Authorization: `Bearer ${await visit.token({ roles: ['admin'] })}` };
    return (await fetch(`${service.baseUrl}${path}`, { headers })).json() as Promise<Record<string, unknown>>;
  };

  it('adjusts the credits of an account with a reason, and the operators’ log tells it', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'Demo account' }).click();
    await page.getByRole('button', { name: 'Adjust credits' }).click();
    await page.getByLabel('Credits, signed').fill('250');
    await page.getByLabel('Reason').fill('Goodwill after the outage');
    await page.getByLabel('Type adjust to confirm').fill('adjust');
    await page.getByRole('button', { name: 'Adjust', exact: true }).click();
    await page.getByRole('cell', { name: '+250' }).waitFor();
    await page.getByRole('link', { name: 'What operators did to it' }).click();
    const entry = page.getByRole('row').filter({ hasText: 'Goodwill after the outage' });
    await entry.getByText('balance:').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('shows what another operator proposed, and approves it', async () => {
    const { page } = visit;
    const token = await visit.token({ roles: ['admin', 'support'] });
    const { tenant_id: id } = service.demo();
    const proposed = await fetch(`${service.baseUrl}/admin/accounts/${id}/credits`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount: 5_000, reason: 'Credits of the merger' }),
    });
    expect(await proposed.json()).toMatchObject({ status: 'proposed' });
    await page.getByRole('link', { name: 'Demo account' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Credits of the merger' });
    await row.getByText('Add 5,000 credits').first().waitFor();
    expect(await looksFaulty(page)).toEqual([]);
    await row.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await row.getByText('approved').waitFor();
    await eventually('the credits', async () => {
      await page.reload();
      await page.getByRole('cell', { name: '+1,000' }).waitFor();
      return (await page.getByRole('cell', { name: '+5,000' }).count()) === 1;
    });
  });

  it('verifies and rebuilds by keyboard, live, one job at a time, and keeps what it found in view', async () => {
    const { page } = visit;
    await visit.open('/projections');
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'ledger', exact: true }) });
    await row.getByRole('button', { name: 'Verify' }).focus();
    await page.keyboard.press('Enter');
    const job = page.getByRole('region', { name: 'Verification of ledger' });
    await job.getByText('done').waitFor();
    await job.getByText('equal').waitFor();
    await row.getByText('equal').waitFor();
    await row.getByRole('button', { name: 'Rebuild' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('After a release');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ledger');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Rebuild of ledger' }).getByText('done').waitFor();
    const { jobs } = await operator('/admin/projection-jobs?limit=1');
    expect(jobs).toMatchObject([{ kind: 'rebuild', state: 'done', projections: ['ledger'] }]);
    expect(visit.complaints).toEqual([]);
  });

  it('shows how every part is now, what is wrong first, and what to do', async () => {
    const { page } = visit;
    await visit.open('/now');
    await page.getByText(/^All \d+ parts are up\.$/).waitFor();
    await page.getByText('Event store', { exact: true }).click();
    await page.getByText('It matters for every write, all read models.').waitFor();
    const part = {
      ...{ name: 'read_model_ledger', status: 'down', since: new Date().toISOString(), value: null, unit: 's' },
      ...{ sentence: 'Stopped at position 7: TypeError', depends: ['balances'], action: 'Rebuild it.' },
      last_hour: Array.from({ length: 60 }, () => null),
    };
    await page.route('**/admin/stream', (route) => route.abort());
    await page.route('**/admin/now', (route) => route.fulfill({ json: { parts: [part] } }));
    await visit.open('/now');
    await page.getByText('1 part of 1 not up.').waitFor();
    await page.getByText('What to do: Rebuild it.').waitFor();
    await page.getByRole('link', { name: 'Verify or rebuild it' }).click();
    await page.getByRole('heading', { name: 'Projections', exact: true }).waitFor();
  });

  it('collects what was done since an incident began, for its report', async () => {
    const { page } = visit;
    const headers = {
      Authorization: `Bearer ${await visit.token({ roles: ['admin'] })}`,
      'Content-Type': 'application/json',
    };
    const body = JSON.stringify({ amount: 7, reason: 'Paid back after the outage' });
    await fetch(`${service.baseUrl}/admin/accounts/${service.demo().tenant_id}/credits`, {
      ...{ method: 'POST', headers, body },
    });
    await fetch(`${service.baseUrl}/admin/projections/claims/verify`, { method: 'POST', headers });
    await eventually('the job', async () => {
      const { jobs } = (await operator('/admin/projection-jobs?limit=1')) as { jobs: { state: string }[] };
      return jobs[0]?.state === 'done';
    });
    await visit.open('/timeline');
    await page.getByText('because “Paid back after the outage”').waitFor();
    await page.getByText('Verification of claims: done').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save for the report' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toMatch(/^# Timeline of the incident since .*\n\n- /);
    expect(text).toContain('Verification of claims began');
  });

  it('says so where another job is under way, and shows its progress and its error', async () => {
    const { page } = visit;
    const job = {
      ...{ id: '2299d17d-c755-4826-bc04-922d64cfcff8', kind: 'rebuild', projections: ['ledger'], results: [] },
      ...{ events: 500, position: '500', goal: '1000', doing: null, began_at: new Date().toISOString() },
    };
    let state = { ...job, state: 'running', error: null as string | null, ended_at: null as string | null };
    await page.route('**/admin/stream', (route) => route.abort());
    await page.route('**/admin/projection-jobs', (route) => route.fulfill({ json: { jobs: [state] } }));
    await visit.open('/projections');
    await page.getByRole('img', { name: '50 percent of the log read' }).waitFor();
    expect(await page.getByRole('button', { name: 'Verify' }).first().isDisabled()).toBe(true);
    state = { ...state, state: 'failed', error: 'CannotApply', ended_at: new Date().toISOString() };
    await visit.open('/projections');
    await page.getByText('It ended with CannotApply').waitFor();
  });

  it('replays a request to all its events', async () => {
    const { page } = visit;
    const headers = { 'X-API-Key': service.demo().api_key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({
      email: 'kim@example.org',
      phone_number: '+12025550177',
      full_name: 'Kim Example',
      kyc_status: 'APPROVED',
    });
    const answer = await fetch(`${service.baseUrl}/api/v1/ingest`, { method: 'POST', headers, body });
    const request = answer.headers.get('x-request-id') ?? '';
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Jump to/ }).fill(request);
    await page.getByRole('option', { name: 'Replay of the request' }).click();
    expect(await page.getByLabel('Request id').inputValue()).toBe(request);
    await eventually('the end of the ingestion', async () => {
      const headers = { Authorization: `Bearer ${await visit.token({ roles: ['admin'] })}` };
      const path = `/admin/audit/replay?request_id=${request}`;
      return (await (await fetch(service.baseUrl + path, { headers })).text()).includes('IngestionCompleted');
    });
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    for (const type of ['Ingestion accepted', 'Identity ingested', 'Ingestion completed'])
      await page.getByText(type, { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('request')).toBe(request);
    expect(await page.locator('.causes .causes li').count()).toBeGreaterThan(0);
    expect(visit.complaints).toEqual([]);
  });

  it('opens what drifts to row and event, and takes an incident', async () => {
    const { page } = visit;
    await page.route('**/admin/drift', (route) =>
      route.fulfill({
        json: {
          accounts_checked: 1,
          oldest_check: new Date().toISOString(),
          differing: [
            {
              ...{ tenant_id: service.demo().tenant_id, checked_at: new Date().toISOString(), position: '90' },
              ...{ sound_position: '60', first_position: '61', differing_rows: 1 },
              findings: [{ table: 'balances', column: 'balance', expected: 10, actual: 17 }],
            },
          ],
        },
      }),
    );
    await visit.open('/troubles');
    await page.getByText('1 wrong row').click();
    await page.getByText('"actual": 17').waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    expect((await file).suggestedFilename()).toMatch(/^incident-.*\.json$/);
    await page.getByRole('link', { name: 'The events of the account' }).click();
    await page.getByText('Account created').first().waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('reads in any colours and at any width, and by keyboard', async () => {
    for (const path of SCREENS) {
      await visit.open(path);
      await visit.page.locator('main h1').waitFor();
      await visit.page
        .getByRole('table')
        .first()
        .waitFor({ timeout: 5_000 })
        .catch(() => undefined);
      expect([path, await keyboardFaults(visit.page)]).toEqual([path, []]);
      expect([path, await looksFaulty(visit.page)]).toEqual([path, []]);
      await visit.page.setViewportSize({ width: 1_280, height: 900 });
    }
    expect(visit.complaints).toEqual([]);
  }, 300_000);
});
