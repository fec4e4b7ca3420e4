import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IssuingTenant, issue, issuerTokenFor } from '../support/credentials.js';
import { type Answer, type Json } from '../support/load/http.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { runCommand } from '../support/service-command.js';
import { eventually, sleep } from '../support/stack.js';

const DAY = 86_400_000;

let deployment: SharedDeployment;
let tenant: Tenant;
/** With a token to issue, and people of its own. */
let holder: IssuingTenant;

const get = async (path: string, { apiKey } = tenant): Promise<Json> =>
  (await deployment.http.expect(200, { path, apiKey })).json;

const post = (path: string, body: object): Promise<Answer> =>
  deployment.http.send({ path, apiKey: tenant.apiKey, body });

const dayAfter = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const idOf = async (one: Person, of: Tenant = holder): Promise<string> => {
  const { identities } = await get(`/api/v1/identities?${new URLSearchParams(enquiry(one)).toString()}`, of);
  return (identities as { identity_id: string }[])[0]?.identity_id ?? '';
};

/** What the account heard of its deletion. */
const stagesOf = async (id: string, of: Tenant): Promise<unknown[]> => {
  const events = (await get('/api/v1/events?limit=1000', of))['events'] as { type: string; data: Json }[];
  return events.flatMap(({ type, data }) =>
    type === 'identity.deleted' && data['identity_id'] === id ? [data['stage']] : [],
  );
};

const balance = async (): Promise<unknown> => (await get('/billing/credits'))['credits'];

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 1_000 });
  const account = await deployment.operator.tenant({ credits: 1_000 });
  holder = { ...account, bearer: await issuerTokenFor(deployment.http, account) };
}, 120_000);

afterAll(() => deployment.leave());

/** Sentences of the interface, each against a running service. */
describe('the interface says', () => {
  it.each(['all', ''])('action (string, default all): %j is all', async (action) => {
    await post('/api/v1/check-eligibility', { email: 'nobody@example.org', phone_number: '+14155550123' });
    const whole = (await get('/api/v1/compliance/audit-log'))['logs'] as Json[];
    expect(whole.length).toBeGreaterThan(0);
    expect((await get(`/api/v1/compliance/audit-log?action=${action}`))['logs']).toEqual(whole);
  });

  it('credentials are kept until revoked, or expired, plus a year', async () => {
    const { policy } = await get('/api/v1/compliance/retention');
    expect(policy).toMatchObject({ credentials: 'until revoked or expired plus 1 year' });
  });

  it('a report is over a range: one that lies in the future is refused and costs nothing', async () => {
    const before = await balance();
    const { status, json } = await post('/api/v1/compliance/report', {
      start_date: dayAfter(2),
      end_date: dayAfter(5),
      format: 'json',
    });
    expect([status, json['error_code'], await balance()]).toEqual([422, 'INVALID_DATE', before]);
  });

  it('notifications of verification expiry: ahead of it, once each, of an identity and of its credential', async () => {
    const soon = { ...person(98_001), kyc_expires_at: new Date(Date.now() + 4.5 * DAY).toISOString() };
    await ingestAll(deployment.http, holder, [soon]);
    await issue(deployment.http, holder, soon);
    const notices = async (): Promise<unknown[]> => {
      const events = (await get('/api/v1/events?limit=1000', holder))['events'] as { type: string; data: Json }[];
      return events.flatMap(({ type, data }) => (type.endsWith('.expiring') ? [[type, data['days_left']]] : []));
    };
    await eventually('both notices', async () => (await notices()).length >= 2);
    // Another round would repeat a notice whose first one was not recorded.
    await sleep(1_000);
    expect(new Set(await notices())).toEqual(
      new Set([
        ['identity.expiring', 5],
        ['credential.expiring', 5],
      ]),
    );
    expect(await notices()).toHaveLength(2);
  });

  it('confidence_score (number 0 to 1), which follows from the record', async () => {
    const bare = { ...person(98_002), date_of_birth: undefined };
    const full = { ...person(98_003), document_reference: 'passport' };
    const account = await deployment.operator.tenant();
    await ingestAll(deployment.http, account, [bare as unknown as Person, full]);
    const scores = await eventually('both events', async () => {
      const events = (await get('/api/v1/events?limit=1000', account))['events'] as { type: string; data: Json }[];
      const verified = events.filter(({ type }) => type === 'identity.verified');
      return verified.length === 2 && verified.map(({ data }) => data['confidence_score']);
    });
    expect([...scores].sort()).toEqual([0.6, 1]);
  });

  it('deletion by dashboard or API, permanent after 30 days: at once where the person asks for it', async () => {
    const one = person(98_004);
    await ingestAll(deployment.http, holder, [one]);
    const id = await idOf(one);
    const path = `/api/v1/identity/${id}`;
    const reason = { reason: 'a letter of 26 November' };
    const erased = await deployment.http.expect(202, { path: `${path}/erase`, apiKey: holder.apiKey, body: reason });
    expect(erased.json).toEqual({ identity_id: id, status: 'erasing', certificate: `${path}/erasure-certificate` });
    expect((await deployment.http.send({ path, apiKey: holder.apiKey })).status).toBe(404);
    const restored = { method: 'POST', path: `${path}/restore`, apiKey: holder.apiKey };
    expect((await deployment.http.send(restored)).status).toBe(404);
    const certificate = await eventually('the certificate', async () => {
      const answer = await deployment.http.send({ path: `${path}/erasure-certificate`, apiKey: holder.apiKey });
      return answer.status === 200 && answer.json;
    });
    expect(certificate).toMatchObject({ identity_id: id, certificate: expect.any(String) });
    await eventually('the event', async () => (await stagesOf(id, holder)).includes('hard'));
    const logs = (await get('/api/v1/compliance/audit-log?action=identity_deleted', holder))['logs'] as Json[];
    expect(logs[0]).toMatchObject({ identity_id: id, ...reason });
  });

  it('a deletion that is under way ends where the person asks for it', async () => {
    const one = person(98_005);
    await ingestAll(deployment.http, holder, [one]);
    const path = `/api/v1/identity/${await idOf(one)}`;
    await deployment.http.expect(202, { method: 'DELETE', path, apiKey: holder.apiKey });
    const body = { reason: 'a second letter' };
    await deployment.http.expect(202, { path: `${path}/erase`, apiKey: holder.apiKey, body });
    await deployment.http.expect(202, { path: `${path}/erase`, apiKey: holder.apiKey, body });
    await eventually('the certificate', async () => {
      const answer = await deployment.http.send({ path: `${path}/erasure-certificate`, apiKey: holder.apiKey });
      return answer.status === 200;
    });
  });

  it('deletion by e-mail: an operator erases the person at every member, and learns their number', async () => {
    const one = person(98_006);
    const members = [holder, tenant];
    for (const member of members) await ingestAll(deployment.http, member, [one]);
    const ids = await Promise.all(members.map((member) => idOf(one, member)));
    const call = {
      path: '/admin/erasures',
      token: deployment.operator.token,
      body: { ...enquiry(one), reason: 'wrote to us' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const { json } = await deployment.http.expect(202, call);
    expect(json).toEqual({ erasure_id: expect.any(String), status: 'erasing', members: 2 });
    for (const [index, member] of members.entries()) {
      const id = ids[index] ?? '';
      expect((await deployment.http.send({ path: `/api/v1/identity/${id}`, apiKey: member.apiKey })).status).toBe(404);
      await eventually('the events', async () => (await stagesOf(id, member)).includes('hard'));
    }
    const again = await eventually('the end at both', async () => {
      const { json: state } = await deployment.http.expect(202, { ...call, headers: {} });
      return state['status'] === 'completed' && state;
    });
    expect(again['members']).toBe(0);
  });

  it('of erasures, also where a record was accepted just before', async () => {
    const one = person(98_009);
    const record = { ...one, kyc_status: 'APPROVED', tier: 'Tier2' };
    await deployment.http.expect(202, { path: '/api/v1/ingest', apiKey: tenant.apiKey, body: record });
    const body = { ...enquiry(one), reason: 'wrote to us' };
    const call = { path: '/admin/erasures', token: deployment.operator.token, body };
    expect((await deployment.http.expect(202, call)).json).toMatchObject({ status: 'erasing', members: 1 });
  });

  it('nothing of a breach, but the law does: who was reachable, a clock of 72 hours, and the notices', async () => {
    const one = person(98_007);
    await ingestAll(deployment.http, holder, [one]);
    const until = new Date().toISOString();
    const later = person(98_008);
    await ingestAll(deployment.http, holder, [one, later]);
    const folder = mkdtempSync(join(tmpdir(), 'kyc-breach-'));
    const out = join(folder, 'breach');
    const since = dayAfter(-1);
    const words = [
      'incident',
      'breach',
      '--since',
      since,
      '--until',
      until,
      '--accounts',
      holder.tenantId,
      '--out',
      out,
    ];
    const env = { ...deployment.env, DATABASE_URL: deployment.databaseUrl };
    const refused = async (...more: string[]) => {
      const elsewhere = [...words.slice(0, -1), mkdtempSync(join(folder, 'refused-')) + '/out', ...more];
      return (await runCommand([...elsewhere, '--operator', 'Prism'], env)).status;
    };
    const breaches = async (): Promise<unknown> =>
      (await deployment.http.expect(200, { path: '/admin/breaches', token: deployment.operator.token })).json[
        'breaches'
      ];
    const before = await breaches();
    expect(await refused('--identities', `idn_${'0'.repeat(32)}`)).toBe(1);
    expect(await refused('--until', dayAfter(-3))).toBe(1);
    expect(await breaches()).toEqual(before);
    const { status, output } = await runCommand([...words, '--operator', 'Prism'], env);
    expect([status, output]).toEqual([0, expect.stringContaining('Notify the authority by')]);
    const persons = readFileSync(join(out, `persons-${holder.tenantId}.csv`), 'utf8');
    // A record that was sent again since stood before, too.
    expect([persons.includes(await idOf(one)), persons.includes(await idOf(later))]).toEqual([true, false]);
    const [id, files] = [await idOf(one), readdirSync(out)];
    expect(files.sort()).toEqual(
      [
        'accesses.csv',
        'breach.json',
        'notice-authority.txt',
        `notice-${holder.tenantId}.txt`,
        `persons-${holder.tenantId}.csv`,
      ].sort(),
    );
    const texts = files.map((name) => readFileSync(join(out, name), 'utf8')).join('');
    expect(texts).toContain(id);
    expect(texts).toContain(`${holder.tenantId},identity_read,found,`);
    for (const personal of [one.full_name, one.email, one.phone_number]) expect(texts).not.toContain(personal);
    const { token } = deployment.operator;
    const listed = async (): Promise<Json[]> =>
      (await deployment.http.expect(200, { path: '/admin/breaches', token })).json['breaches'] as Json[];
    const [breach] = await listed();
    expect(breach).toMatchObject({ since: `${since}T00:00:00.000Z`, accounts: 1, persons: expect.any(Number) });
    expect(Date.parse(String(breach?.['due_at'])) - Date.parse(String(breach?.['noted_at']))).toBe(3 * DAY);
    const notified = { method: 'POST', path: `/admin/breaches/${String(breach?.['breach_id'])}/notified`, token };
    await deployment.http.expect(200, notified);
    expect(await listed()).toEqual([]);
    expect((await deployment.http.send(notified)).status).toBe(404);
    rmSync(folder, { recursive: true });
  });

  it('purged from back-ups within 90 days: no erasure counts as complete while an older one exists', async () => {
    const env = { ...deployment.env, DATABASE_URL: deployment.databaseUrl };
    const run = (...words: string[]) => runCommand(['keys', 'backups', ...words], env);
    expect((await run()).status).toBe(0);
    for (const [name, days] of [
      ['young', -80],
      ['old', -91],
    ] as const)
      expect((await run('register', name, '--taken', dayAfter(days), '--operator', 'Prism')).status).toBe(0);
    const overdue = await run();
    expect([overdue.status, overdue.output]).toEqual([
      1,
      expect.stringContaining('No erasure is complete while old exists'),
    ]);
    expect((await run('gone', 'old', '--operator', 'Prism')).status).toBe(0);
    const { status, output } = await run();
    expect([status, output]).toEqual([0, expect.stringContaining('young: of ')]);
    expect((await run('gone', 'old', '--operator', 'Prism')).status).toBe(1);
    const register = async (name: string, days: number) =>
      (await run('register', name, '--taken', dayAfter(days), '--operator', 'Prism')).status;
    // The name of one that is gone is free; one that exists keeps its time, and none is of the future.
    expect([await register('old', -92), await register('young', -1), await register('next', 2)]).toEqual([0, 1, 1]);
    expect((await run()).output).toContain('No erasure is complete while old exists');
    for (const name of ['old', 'young']) expect((await run('gone', name, '--operator', 'Prism')).status).toBe(0);
  });
});
