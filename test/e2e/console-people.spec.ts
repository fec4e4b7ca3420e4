import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Page, type Request } from 'playwright-core';
import { inBrowser, launchBrowser, looksFaulty } from '../support/browser.js';
import { ConsoleVisit, inMenu } from '../support/console.js';
import { type Json } from '../support/load/http.js';
import { eventually } from '../support/processes.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { runningService } from '../support/running-service.js';

/** Of a platform, which verifies its user: every ceremony succeeds at once. */
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

interface Sent {
  readonly status: number;
  readonly text: string;
}

inBrowser('console: people')('the people of an account', () => {
  const service = runningService({ env: LONG_STORE_BUDGET_MS });
  const visit = new ConsoleVisit(service);
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(async () => {
    await visit.close();
    await browser.close();
  });

  const named = (): string => service.baseUrl.replace('127.0.0.1', 'localhost');

  /** A person with a browser and an authenticator of their own. */
  const newPerson = async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
    return { page, context, cdp, authenticatorId };
  };

  const statusOf = (page: Page, path: string): Promise<number> =>
    page.evaluate(`fetch('${path}').then(({ status }) => status)`);

  const linkTo = (email: string): Promise<string> =>
    eventually('the invitation', () => {
      const folder = join(service.dataDir, 'mail');
      for (const name of readdirSync(folder).reverse()) {
        const mail = readFileSync(join(folder, name), 'utf8')
          .replaceAll(/=\r?\n/g, '')
          .replaceAll('=3D', '=');
        const link = /\S+\/console#i=[\w.-]+/.exec(mail)?.[0];
        if (mail.includes(email) && link !== undefined) return link;
      }
      return undefined;
    });

  const invite = async (name: string, role: string): Promise<{ readonly id: string; readonly link: string }> => {
    const email = `${name.toLowerCase()}@example.org`;
    const { member_id: id } = await visit.call('/api/v1/members', { email, name, role });
    return { id: String(id), link: await linkTo(email) };
  };

  const joined = async (name: string, role: string) => {
    const invited = await invite(name, role);
    const person = await newPerson();
    const sent: Request[] = [];
    person.page.on('request', (request) => sent.push(request));
    await person.page.goto(invited.link);
    await person.page.getByRole('button', { name: 'Make a passkey and join' }).click();
    await person.page.getByRole('banner').getByText(`${name}, ${role}`).waitFor();
    return { ...invited, ...person, sent };
  };

  const call = async (method: string, path: string, body?: object): Promise<Sent> => {
    const headers = { 'X-Console': '1', 'Content-Type': 'application/json', 'X-API-Key': service.demo().api_key };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${service.baseUrl}${path}`, { method, headers, ...sent });
    return { status: answer.status, text: await answer.text() };
  };

  /** What a browser answered an authenticator's ceremony with, as it was sent. */
  const bodyOf = (sent: readonly Request[], path: string): Json => {
    const request = sent.find((each) => each.method() === 'POST' && each.url().endsWith(path));
    return JSON.parse(request?.postData() ?? '{}') as Json;
  };

  it('begin with the first owner, who signs in by the printed link and adds a passkey', async () => {
    const { page, context } = await newPerson();
    await page.goto(service.demo().console_url.replace('127.0.0.1', 'localhost'));
    await page.getByRole('banner').getByText('Demo owner, owner').waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByText('No passkey signs you in yet').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('You sign in with this passkey').waitFor();
    await inMenu(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('banner').getByText('Demo owner, owner').waitFor();
    await context.close();
  });

  it('are invited on the page, join by the mail’s link with a passkey, and sign in with it', async () => {
    const { page } = visit;
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByLabel('Name').fill('Vera');
    await page.getByLabel('E-mail').fill('vera@example.org');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('An invitation is on its way to vera@example.org').waitFor();
    expect(await looksFaulty(page)).toEqual([]);
    const { page: vera, context } = await newPerson();
    await vera.goto(await linkTo('vera@example.org'));
    expect(vera.url()).not.toContain('#');
    await vera.getByText('you are invited to the account').waitFor();
    await vera.getByRole('button', { name: 'Make a passkey and join' }).click();
    await vera.getByRole('banner').getByText('Vera, officer').waitFor();
    expect(await vera.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await inMenu(vera, 'Sign out');
    await vera.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await vera.getByRole('banner').getByText('Vera, officer').waitFor();
    await vera.goto(`${named()}/console/people`);
    await vera.getByText('You sign in with this passkey').waitFor();
    expect(await vera.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0);
    expect(visit.complaints).toEqual([]);
    await context.close();
  }, 120_000);

  it('have the rights of their role now, in open sessions too, and none once they are removed', async () => {
    const { id, page, context } = await joined('Olga', 'developer');
    await page.goto(`${named()}/console/keys`);
    await page.getByRole('heading', { name: 'Create a key' }).waitFor();
    expect((await call('PATCH', `/api/v1/members/${id}`, { role: 'viewer' })).status).toBe(200);
    const write = (): Promise<number> =>
      page.evaluate(`fetch('/console/api/api/v1/keys', { method: 'POST', body: '{"name":"Mine"}',
        headers: { 'X-Console': '1', 'Content-Type': 'application/json' } }).then(({ status }) => status)`);
    const readStatus = (): Promise<number> => statusOf(page, '/console/api/api/v1/keys');
    expect([await write(), await readStatus()]).toEqual([403, 200]);
    expect((await call('DELETE', `/api/v1/members/${id}`)).status).toBe(204);
    expect([await write(), await readStatus()]).toEqual([401, 401]);
    const { members } = await visit.call('/api/v1/members');
    await eventually('no name is left', async () => {
      const shown = ((await visit.call('/api/v1/members'))['members'] as Json[]).find(
        (each) => each['member_id'] === id,
      );
      return shown?.['name'] === null && shown['status'] === 'removed';
    });
    expect((members as Json[]).length).toBeGreaterThan(0);
    await context.close();
  }, 120_000);

  it('act under their names', async () => {
    const { page, context } = await joined('Olaf', 'owner');
    await page.goto(`${named()}/console/check`);
    await page.evaluate(`fetch('/console/api/api/v1/compliance/sanctions', { method: 'POST',
      body: '{"full_name":"Confirmed Testmatch"}', headers: { 'X-Console': '1', 'Content-Type': 'application/json' } })`);
    await page.goto(`${named()}/console/audit`);
    const row = page.getByRole('row').filter({ hasText: 'sanctions check' }).filter({ hasText: 'Olaf' });
    await eventually('the entry', async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return (await row.count()) > 0;
    });
    await context.close();
  }, 120_000);

  it('cannot take an invitation twice, forge one, or take one that was replaced', async () => {
    const { id, link, sent, context } = await joined('Ivo', 'viewer');
    const token = link.slice(link.indexOf('#i=') + 3);
    const open = (invitation: string): Promise<Sent> => call('POST', '/console/session/invitation', { invitation });
    const parts = token.split('.');
    const another = [parts[0]?.replace(/.$/, (last) => (last === '0' ? '1' : '0')), ...parts.slice(1)].join('.');
    for (const bad of [token, another, `${token}x`, 'a.b.c.d', parts.slice(0, 3).join('.')])
      expect([bad, (await open(bad)).status]).toEqual([bad, 401]);
    const replay = await call('POST', '/console/session/invitation/accept', bodyOf(sent, '/invitation/accept'));
    expect(replay.status).toBe(401);
    const first = await invite('Nora', 'viewer');
    expect((await call('POST', `/api/v1/members/${first.id}/invite`)).status).toBe(200);
    expect((await open(first.link.slice(first.link.indexOf('#i=') + 3))).status).toBe(401);
    expect(id).toMatch(/^mbr_/);
    await context.close();
  }, 120_000);

  it('cannot be signed in by a challenge that was used, of another ceremony, origin or person', async () => {
    const { page, sent, context } = await joined('Rita', 'viewer');
    await inMenu(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('banner').getByText('Rita, viewer').waitFor();
    const signedIn = bodyOf(sent, '/session/passkey');
    expect(signedIn['response']).toBeDefined();
    const again = (response: object): Promise<Sent> => call('POST', '/console/session/passkey', { response });
    expect((await again(signedIn['response'] as object)).status).toBe(401);
    const made = bodyOf(sent, '/invitation/accept')['response'] as object;
    expect((await again(made)).status).toBe(401);
    for (const nonsense of [{}, { id: 'x' }, { id: 'x', response: { userHandle: 'AAAA' } }])
      expect((await again(nonsense)).status).toBe(401);
    const { link } = await invite('Sven', 'owner');
    const invitation = link.slice(link.indexOf('#i=') + 3);
    const foreign = await call('POST', '/console/session/invitation/accept', { invitation, response: made });
    expect(foreign.status).toBe(401);
    const { page: sven, context: other } = await newPerson();
    await sven.route('**/invitation/accept', async (route) => {
      const body = JSON.parse(route.request().postData() ?? '{}') as {
        response: { response: { clientDataJSON: string } };
      };
      const clientData = Buffer.from(body.response.response.clientDataJSON, 'base64url').toString('utf8');
      body.response.response.clientDataJSON = Buffer.from(clientData.replace(named(), 'https://evil.example')).toString(
        'base64url',
      );
      await route.continue({ postData: JSON.stringify(body) });
    });
    await sven.goto(link);
    await sven.getByRole('button', { name: 'Make a passkey and join' }).click();
    await sven.getByText('The passkey was not accepted').waitFor();
    await Promise.all([context.close(), other.close()]);
  }, 120_000);

  it('keep a passkey for each device, and the last one', async () => {
    const { id, page, context } = await joined('Pia', 'developer');
    await page.goto(`${named()}/console/people`);
    await page.getByText('You sign in with this passkey').waitFor();
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...AUTHENTICATOR, transport: 'usb' } });
    const add = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByText('You sign in with one of these passkeys').waitFor();
    };
    const remove = async (which: 'first' | 'last'): Promise<void> => {
      const buttons = page.getByRole('button', { name: /^Remove: Remove passkey/ });
      await buttons[which]().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    };
    await add();
    await remove('last');
    await page.getByText('You sign in with this passkey').waitFor();
    await add();
    // The session began with it.
    await remove('first');
    await eventually(
      'the end of the session',
      async () => (await statusOf(page, '/console/api/billing/credits')) === 401,
    );
    await eventually('the entries of what Pia did', async () => {
      const { logs } = await visit.call(`/api/v1/compliance/audit-log?actor=${id}`);
      const entries = (logs as Json[]).map(({ action, member_id: about }) => `${String(action)} ${String(about)}`);
      const acts = ['passkey_removed', 'passkey_added', 'passkey_removed', 'passkey_added', 'member_joined'];
      return entries.join() === acts.map((act) => `${act} ${id}`).join();
    });
    await context.close();
  }, 120_000);

  it('cannot be signed in by a copy of an authenticator', async () => {
    const { page, context, cdp, authenticatorId } = await joined('Cleo', 'viewer');
    const copied = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    const signIn = async (): Promise<void> => {
      await inMenu(page, 'Sign out');
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    };
    for (let times = 0; times < 2; times += 1) {
      await signIn();
      await page.getByRole('banner').getByText('Cleo, viewer').waitFor();
    }
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    for (const credential of copied) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
    await signIn();
    await page.getByText('The passkey was not accepted').waitFor();
    await context.close();
  }, 120_000);
});
