import { accountsCommand } from '../../src/cli/accounts.js';
import { withAccountsDesk } from '../../src/cli/accounts-context.js';
import { categories } from '../../src/categories.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { readModelSearchPath } from '../../src/log/project/read-models.js';
import { projections } from '../../src/projections.js';
import { onStoresOf } from '../support/deployment-stores.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { type Ran, runCommand } from '../support/service-command.js';
import { eventually } from '../support/stack.js';

const STRANGER = `t${'0'.repeat(26)}`;
const CONTACT = 'operations@example.org';

let deployment: SharedDeployment;
beforeAll(async () => {
  deployment = await SharedDeployment.take();
}, 60_000);
afterAll(() => deployment.leave());

/** Runs `npm run accounts -- <words>` on the deployment's stores. */
const run = async (...words: string[]): Promise<string> => {
  const lines: string[] = [];
  const status = await accountsCommand(words, {
    print: (line) => lines.push(line),
    open: (work) =>
      onStoresOf(deployment, `public,${readModelSearchPath(projections)}`, (stores) =>
        withAccountsDesk({ ...stores, config: loadConfig(deployment.env), categories, projections }, work),
      ),
  });
  expect([status, lines]).toEqual([0, expect.anything()]);
  return lines.join('\n');
};

const json = async (...words: string[]): Promise<Record<string, unknown>> =>
  JSON.parse(await run(...words, '--json')) as Record<string, unknown>;

const opened = async (name: string): Promise<{ readonly tenant_id: string; readonly api_key: string }> => {
  const answer = await json('create', '--name', name, '--contact-email', CONTACT);
  return answer as { tenant_id: string; api_key: string };
};

const adjust = (id: string, amount: number, reference: string, ...words: string[]): Promise<Record<string, unknown>> =>
  json('adjust', id, '--amount', `${amount}`, '--reason', 'Goodwill', '--reference', reference, ...words);

const answersWith = (status: number, apiKey: string): Promise<boolean> =>
  eventually(`${status}`, async () => {
    const answer = await deployment.http.send({ path: '/billing/credits', apiKey });
    return answer.status === status;
  });

const operatorsLog = async (): Promise<readonly Record<string, unknown>[]> => {
  const { token } = deployment.operator;
  const { json: page } = await deployment.http.expect(200, { path: '/admin/audit-log?limit=1000', token });
  return page['logs'] as Record<string, unknown>[];
};

it('refuses another environment than that of the stores, whose keys would not work', async () => {
  const config = { ...loadConfig(deployment.env), environment: 'production' } as const;
  const creating = onStoresOf(deployment, `public,${readModelSearchPath(projections)}`, (stores) =>
    withAccountsDesk({ ...stores, config, categories, projections }, () => Promise.resolve(0)),
  );
  await expect(creating).rejects.toThrow('ENVIRONMENT is production');
});

it('opens an account whose key works, finds it by name and shows its contact only where that is asked for', async () => {
  const { tenant_id: id, api_key: apiKey } = await opened('Nordic Example Bank');
  expect((await deployment.http.expect(200, { path: '/billing/credits', apiKey })).json).toMatchObject({ credits: 0 });
  expect(await run('list', '--q', 'nordic example')).toMatch(new RegExp(`${id}  Nordic Example Bank .*\\n1 of 1$`));
  expect(await json('show', id)).toMatchObject({ tenant_id: id, contact_email: 'o***@***.org', balance: 0 });
  expect(await json('show', id, '--reveal')).toMatchObject({ contact_email: CONTACT });
  const changed = await json('update', id, '--tier', 'growth', '--alert-thresholds', '30,10');
  expect(changed).toMatchObject({ tier: 'growth', alert_thresholds: [30, 10], name: 'Nordic Example Bank' });
});

it('moves credits once for a reference, whoever says it and however many at once', async () => {
  const { tenant_id: id } = await opened('Once');
  const same = Array.from({ length: 4 }, (_, index) => adjust(id, 100, 'ticket-1', '--operator', `operator ${index}`));
  expect((await Promise.all(same)).map(({ balance }) => balance)).toEqual([100, 100, 100, 100]);
  expect(await adjust(id, -30, 'ticket-2')).toMatchObject({ amount: -30, balance: 70 });
  await expect(adjust(id, 101, 'ticket-1')).rejects.toThrow(/reference/i);
  // Spaces around it and another Unicode form look the same.
  await expect(adjust(id, 101, ' ticket-1 ')).rejects.toThrow(/reference/i);
  await expect(adjust(id, -71, 'ticket-3')).rejects.toThrow(/below zero/i);
  const shown = await json('credits', id);
  expect(shown).toMatchObject({ balance: 70, transactions: [{ amount: -30 }, { amount: 100 }] });
  expect(await run('credits', id)).toMatch(/balance +70\n[^]*adjustment +-30 +70/);
});

it('gives each account its own references', async () => {
  const [one, other] = [await opened('One'), await opened('Other')];
  await adjust(one.tenant_id, 5, 'same');
  expect(await adjust(other.tenant_id, 7, 'same')).toMatchObject({ balance: 7 });
});

it('suspends and reinstates', async () => {
  const { tenant_id: id, api_key: apiKey } = await opened('Late payer');
  expect(await json('suspend', id, '--reason', 'Unpaid')).toMatchObject({
    status: 'suspended',
    suspension_reason: null,
  });
  await answersWith(403, apiKey);
  expect(await run('show', id)).toMatch(/suspension_reason +hidden/);
  expect(await json('show', id, '--reveal')).toMatchObject({ suspension_reason: 'Unpaid' });
  await json('reinstate', id);
  await answersWith(200, apiKey);
});

it('makes, rotates and revokes keys', async () => {
  const { tenant_id: id, api_key: first } = await opened('Locked out');
  const made = await json('keys', 'create', id, '--name', 'Branch', '--scopes', 'billing,eligibility');
  expect(made).toMatchObject({ name: 'Branch', scopes: ['billing', 'eligibility'] });
  const next = await json('keys', 'rotate', id, String(made['id']), '--overlap-seconds', '0');
  await answersWith(200, String(next['api_key']));
  await answersWith(403, String(made['api_key']));
  expect(await json('keys', 'revoke', id, String(next['id']))).toMatchObject({ status: 'revoked' });
  await answersWith(403, String(next['api_key']));
  const table = (await run('keys', 'list', id)).split('\n').map((line) => line.split(/ {2,}/).slice(1, 3));
  expect(table).toEqual([
    ['name', 'status'],
    ['-', 'revoked'],
    ['-', 'expired'],
    ['-', 'active'],
  ]);
  expect(await run('keys', 'list', id, '--reveal')).toContain('Branch');
  await answersWith(200, first);
});

it('records who did what before it is done, and names the same operator in the events', async () => {
  const { tenant_id: id } = await opened('Watched');
  await adjust(id, 10, 'by alice', '--operator', 'alice');
  await adjust(id, 10, 'by bob', '--operator', 'bob');
  await adjust(id, 10, 'by alice again', '--operator', 'alice');
  await expect(json('suspend', STRANGER, '--reason', 'x', '--operator', 'bob')).rejects.toThrow(/accounts -- list/);
  const log = await operatorsLog();
  const acts = log.filter(({ tenant_id }) => tenant_id === id || tenant_id === STRANGER).reverse();
  const [alice, bob, again, stranger] = acts.map(({ operator }) => operator);
  expect(acts.map(({ action }) => action)).toEqual([
    ...Array.from({ length: 3 }, () => 'npm run accounts -- adjust'),
    'npm run accounts -- suspend',
  ]);
  expect(acts.map(({ outcome, error_code: code }) => [outcome, code])).toEqual([
    ...Array.from({ length: 3 }, () => ['done', null]),
    ['refused', 'NOT_FOUND'],
  ]);
  expect(acts[1]).toMatchObject({ changes: [{ field: 'balance', from: 10, to: 20 }], roles: [], status: null });
  expect([again, stranger]).toEqual([alice, bob]);
  expect(alice).not.toBe(bob);
  const adjusted = (await deployment.log.credits(id)).filter(({ type }) => type === 'CreditsAdjusted.v1');
  expect(adjusted.map(({ metadata }) => metadata)).toMatchObject(
    acts.slice(0, 3).map(({ request_id: $correlationId, operator }) => ({ $correlationId, actor: { id: operator } })),
  );
});

it('is a program: answers on stdout, a refusal with what to do on stderr, and exit statuses', async () => {
  const { tenant_id: id } = await opened('From a shell');
  const program = (...words: string[]): Promise<Ran> => runCommand(['accounts', ...words], deployment.env);
  const [shown, refused] = await Promise.all([program('show', id, '--json'), program('show', STRANGER)]);
  expect([shown.status, refused.status]).toEqual([0, 1]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ tenant_id: id, name: 'From a shell' });
  expect([refused.stdout, refused.output]).toEqual([
    '',
    expect.stringMatching(/^\s*there is no such account or key\. `npm run accounts -- list --q NAME`/),
  ]);
});
