import { inBrowser, keyboardFaults, looksFaulty } from '../support/browser.js';
import { ConsoleVisit } from '../support/console.js';
import { SCALED_ERASURE } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

/** Checkpoints each second, and no limit that a poll would meet. */
const QUICK = { TIMING_CHECKPOINT_EVERY_MS: '1000', SANDBOX_RATE_LIMIT: '100000' };
const PERSON = { email: 'ada@example.org', phone_number: '+12025550171' };
const RECORD = {
  ...PERSON,
  full_name: 'Ada Example',
  date_of_birth: '1990-04-23',
  kyc_status: 'APPROVED',
  tier: 'Tier2',
};
const SCREENS = [
  ...['/check', '/identities', '/credentials', '/claims', '/decisions', '/lists', '/documents'],
  ...['/transparency', '/usage', '/plan', '/keys'],
];

inBrowser('console: screens of an account')('the screens of an account', () => {
  const service = runningService({ env: { ...SCALED_ERASURE, ...QUICK } });
  const visit = new ConsoleVisit(service);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  const balance = async (): Promise<number> => Number((await visit.call('/billing/credits'))['credits']);
  const check = () => visit.call('/api/v1/check-eligibility', PERSON);
  const identityOf = async (): Promise<string> => {
    const { identities } = await visit.call('/api/v1/identities/search', PERSON);
    return (identities as { identity_id: string }[])[0]?.identity_id ?? '';
  };

  it('draws usage whose bars sum to the totals', async () => {
    await check();
    await visit.open('/usage');
    const { page } = visit;
    const total = await page.getByRole('heading', { name: /credits$/ }).innerText();
    const titles = await page.locator('svg.chart title').allTextContents();
    const bars = titles.map((title) => Number(/: ([\d,]+)/.exec(title)?.[1]?.replaceAll(',', '')));
    const sum = bars.reduce((all, one) => all + one, 0);
    expect(`${sum.toLocaleString('en')} credits`).toBe(total);
    expect(sum).toBeGreaterThan(0);
    for (const [label, column] of [
      ['Credits by operation', 2],
      ['Credits by key', 3],
    ] as const) {
      const cells = page.getByLabel(label).locator(`tbody tr td:nth-child(${column})`);
      const credits = (await cells.allInnerTexts()).map((text) => Number(text.replaceAll(',', '')));
      expect(credits.reduce((all, one) => all + one, 0)).toBe(sum);
    }
    expect(visit.complaints).toEqual([]);
  });

  it('keeps alerts over a reload, and its preview of them was right', async () => {
    const reference = Number((await visit.call('/billing/alerts'))['reference_balance']);
    const threshold = Math.floor((100 * ((await balance()) - 1)) / reference);
    await visit.open('/plan');
    const { page } = visit;
    await page.getByLabel('Thresholds, percent').fill(`${threshold}, 0`);
    const preview = await page.getByRole('list', { name: 'What would be sent' }).locator('li').first().innerText();
    await page.getByRole('button', { name: 'Save alerts' }).click();
    await page.getByText('Saved').waitFor();
    await page.goto(page.url());
    expect(await page.getByLabel('Thresholds, percent').inputValue()).toBe(`${threshold}, 0`);
    const uses = Number(/after ([\d,]+) more/.exec(preview)?.[1]?.replaceAll(',', ''));
    const announced = async (): Promise<readonly unknown[]> => {
      const { events } = await visit.call('/api/v1/events?limit=1000');
      return (events as { type: string }[]).filter(({ type }) => type === 'billing.low_balance');
    };
    for (let use = 1; use < uses; use += 1) await check();
    expect(await announced()).toEqual([]);
    await check();
    await eventually('the alert', async () => (await announced()).length === 1);
    expect(visit.complaints).toEqual([]);
  });

  it('shows the secret of a new key once, and it is gone after a reload', async () => {
    await visit.open('/keys');
    const { page } = visit;
    await page.getByLabel('Name').fill('Console');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByText(/^kyc_sandbox_/).innerText();
    await page.getByRole('cell', { name: 'Console', exact: true }).waitFor();
    await page.goto(page.url());
    await page.getByRole('cell', { name: 'Console', exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const id = secret.split('_')[2] ?? '';
    await page.getByRole('row').filter({ hasText: id }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByLabel(`Type ${id} to confirm`).fill(id);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row').filter({ hasText: id }).getByText('revoked').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('caps a key, and changes its limits', async () => {
    await visit.open('/keys');
    const { page } = visit;
    await page.getByLabel('Name').fill('Branch');
    await page.getByLabel('Credits a day, at most').fill('500');
    await page.getByLabel('From these addresses only').fill('192.0.2.0/24, 2001:db8::7');
    await page.getByRole('button', { name: 'Create key' }).click();
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'Branch', exact: true }) });
    await row.getByText('500 credits a day, from 192.0.2.0/24, 2001:db8::7').waitFor();
    await row.getByRole('button', { name: 'Limits' }).click();
    const dialog = page.getByRole('dialog', { name: 'Limits of key Branch' });
    await dialog.getByLabel('From these addresses only').fill('nowhere');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^At most 50 IP addresses/).waitFor();
    await dialog.getByLabel('From these addresses only').fill('');
    await dialog.getByLabel('Credits a day, at most').fill('20');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('20 credits a day', { exact: true }).waitFor();
    expect(visit.complaints.filter((complaint) => !complaint.includes('422') && !complaint.includes('400'))).toEqual(
      [],
    );
  });

  it('runs a check for the price that it showed', async () => {
    await visit.open('/check');
    const { page } = visit;
    await page.getByLabel('Full name').fill('Potential Testmatch');
    const button = page.getByRole('button', { name: /^Run for/ });
    const cost = Number(/\d+/.exec(await button.innerText())?.[0]);
    const before = await balance();
    await button.click();
    await page.getByText('potential match').first().waitFor();
    expect(await balance()).toBe(before - cost);
    await page.getByRole('link', { name: /The decision/ }).click();
    await page.getByRole('heading', { name: 'Decision, then and now' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('replays a decision, and marks an entry that has changed', async () => {
    const { decision_id } = await visit.call('/api/v1/compliance/sanctions', { full_name: 'Potential Testmatch' });
    const { page } = visit;
    await visit.open(`/decisions/${String(decision_id)}`);
    await page.getByRole('button', { name: /^Replay/ }).click();
    await page.getByText('reproduced', { exact: true }).waitFor();
    expect(await page.locator('.marked').count()).toBe(0);
    await page.route('**/replay', async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { stored: { matches: object[] }; difference: { changed: object[] } };
      json.difference.changed = json.stored.matches;
      await route.fulfill({ response: answer, json });
    });
    await page.goto(page.url());
    await page.getByRole('button', { name: /^Replay/ }).click();
    await page.getByText('changed', { exact: true }).first().waitFor();
    expect(await page.locator('li.marked').count()).toBeGreaterThan(0);
    expect(visit.complaints).toEqual([]);
  });

  it('revokes a credential, and its verification says so', async () => {
    await visit.call('/api/v1/ingest', RECORD);
    const { page } = visit;
    const tenant = service.demo().tenant_id;
    const token = await visit.token({ tenant_id: tenant, scope: 'credentials:issue' });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ ...PERSON, full_name: RECORD.full_name, dob: RECORD.date_of_birth, tier: 'Tier2' });
    const issued = await fetch(`${service.baseUrl}/api/v1/issue`, { method: 'POST', headers, body });
    const credential = (await issued.json()) as { readonly token: string };
    expect(issued.status).toBe(200);
    await visit.open('/credentials');
    await page.getByLabel('Credential', { exact: true }).fill(credential.token);
    await page.getByRole('button', { name: /^Verify for/ }).click();
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Revoke' }).first().click();
    await page.getByLabel('Reason').fill('The customer has left');
    await page.getByLabel('Type revoke to confirm').fill('revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('cell', { name: 'revoked' }).waitFor();
    await page.getByRole('button', { name: /^Verify for/ }).click();
    await page.getByText('invalid', { exact: true }).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('proves every entry of a page of the audit log, and tells one altered byte', async () => {
    await check();
    const { page } = visit;
    await visit.open('/audit?action=eligibility_check');
    const verify = page.getByRole('button', { name: /^Verify the newest/ });
    const status = page.getByRole('status');
    await verify.waitFor();
    await eventually('every entry is signed and proven', async () => {
      await verify.click();
      return /^(\d+) of \1 entr(y|ies) proven, but for what/.test(await status.innerText());
    });
    const all = await page.getByText('proven', { exact: true }).count();
    await page.route('**/audit-log?*proof=true*', async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { logs: { proof: { event: { data: string } } }[] };
      const [first] = json.logs;
      if (first !== undefined) {
        const bytes = Buffer.from(first.proof.event.data, 'base64');
        bytes[20] = (bytes[20] ?? 0) ^ 1;
        first.proof.event.data = bytes.toString('base64');
      }
      await route.fulfill({ response: answer, json });
    });
    await verify.click();
    await page.getByText('not proven').waitFor();
    expect(await page.getByText('not proven', { exact: true }).count()).toBe(1);
    expect(await page.getByText('proven', { exact: true }).count()).toBe(all - 1);
    expect(visit.complaints).toEqual([]);
  });

  it('proves that the log only adds to what this browser saw first', async () => {
    const { page } = visit;
    await visit.open('/transparency');
    const checkNow = page.getByRole('button', { name: 'Check now' });
    await eventually('a first checkpoint', async () => {
      await checkNow.click();
      return page.getByText('proved', { exact: true }).isVisible();
    });
    const first = await page.evaluate('JSON.parse(localStorage.getItem("kyc-console-checkpoint")).size');
    await check();
    await eventually('a later checkpoint', async () => {
      await checkNow.click();
      const text = await page.getByRole('status').innerText();
      const [, now = '0', known = '0'] = /log of ([\d,]+) events only adds to the ([\d,]+)/.exec(text) ?? [];
      return Number(known.replaceAll(',', '')) === first && Number(now.replaceAll(',', '')) > Number(first);
    });
    // A log that does not contain what was seen cannot prove that it does.
    await page.route('**/transparency/consistency?*', async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { hashes: string[] };
      json.hashes = json.hashes.map((hash) => `${hash.startsWith('A') ? 'B' : 'A'}${hash.slice(1)}`);
      await route.fulfill({ response: answer, json });
    });
    await checkNow.click();
    await page.getByText(/does not extend/).waitFor();
    await page.unroute('**/transparency/consistency?*');
    await checkNow.click();
    await page.getByText('proved', { exact: true }).waitFor();
    // Another history of the same size is not the one that was seen.
    await page.evaluate(`{
      const seen = JSON.parse(localStorage.getItem('kyc-console-checkpoint'));
      seen.note = seen.note.replace(/^(.*\\n)(\\d+)\\n/, (_, origin, size) => origin + (Number(size) + 1) + '\\n');
      localStorage.setItem('kyc-console-checkpoint', JSON.stringify(seen));
    }`);
    await checkNow.click();
    await page.getByRole('alert').waitFor();
    expect(visit.complaints).toEqual([]);
  }, 180_000);

  it('requests a report, and shows its file once it is made', async () => {
    const { page } = visit;
    await visit.open('/documents');
    await page.getByRole('button', { name: /^Request for/ }).click();
    const link = page.getByRole('link', { name: 'Download' }).first();
    await link.waitFor();
    const answer = await fetch((await link.getAttribute('href')) ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(visit.complaints).toEqual([]);
  });

  it('erases an identity at once where the person asks for it, with a reason and a word that is typed', async () => {
    await visit.call('/api/v1/ingest', RECORD);
    const id = await identityOf();
    const { page } = visit;
    await visit.open(`/identities/${id}`);
    await page.getByRole('button', { name: 'Erase at once' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason, which names no person').fill('a letter');
    expect(await dialog.getByRole('button', { name: 'Erase at once' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type erase to confirm').fill('erase');
    await dialog.getByRole('button', { name: 'Erase at once' }).click();
    await page.getByText('It is being erased.').waitFor();
    await eventually('the erasure', () => visit.call(`/api/v1/identity/${id}/erasure-certificate`).then(() => true));
    expect(visit.complaints.filter((text_) => !text_.includes('404'))).toEqual([]);
  });

  it('deletes an identity, and verifies the certificate of its erasure: an altered one is refused', async () => {
    await visit.call('/api/v1/ingest', RECORD);
    const id = await identityOf();
    const { page } = visit;
    await visit.open(`/identities/${id}`);
    expect(await page.content()).not.toContain(RECORD.full_name);
    await page.getByRole('button', { name: 'Show the record' }).click();
    await page.getByText(RECORD.full_name).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Type delete to confirm').fill('delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Erased for good from').waitFor();
    const path = `/api/v1/identity/${id}/erasure-certificate`;
    await eventually('the erasure', () => visit.call(path).then(() => true));
    await page.goto(page.url());
    const text = page.getByLabel('Certificate', { exact: true });
    await eventually('the certificate', async () => (await text.inputValue()) !== '');
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByRole('status').getByText('valid', { exact: true }).waitFor();
    const certificate = await text.inputValue();
    await visit.open(`/identities/idn_${'0'.repeat(32)}`);
    await text.fill(certificate);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('It is signed, and is of another identity.').waitFor();
    const altered = certificate.replace(/\.(.)/, (_, letter: string) => `.${letter === 'e' ? 'f' : 'e'}`);
    await text.fill(altered);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('not valid').waitFor();
    expect(visit.complaints.filter((text_) => !text_.includes('404'))).toEqual([]);
  });

  it('reads in any colours and at any width, and by keyboard', async () => {
    for (const path of SCREENS) {
      await visit.open(path);
      await visit.page.locator('main h1').waitFor();
      await visit.page.waitForLoadState('networkidle');
      expect([path, await keyboardFaults(visit.page)]).toEqual([path, []]);
      expect([path, await looksFaulty(visit.page)]).toEqual([path, []]);
      await visit.page.setViewportSize({ width: 1_280, height: 900 });
    }
    expect(visit.complaints).toEqual([]);
  }, 400_000);
});
