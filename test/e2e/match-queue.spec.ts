import { randomUUID } from 'node:crypto';
import { runAudit } from '../support/audit-command.js';
import { type Answer, type Json } from '../support/load/http.js';
import { type Person, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually } from '../support/stack.js';

/** Sandbox names. The first is confirmed with its birth date. */
const LISTED = { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01' };
const EXPOSED = { full_name: 'Primus Testpep' };

interface Match {
  readonly match_id: string;
  readonly decision_id: string;
  readonly identity_id: string | null;
  readonly status: string;
  readonly found_at: string;
}

let deployment: SharedDeployment;
let receiver: TestReceiver;
let tenant: Tenant;
let other: Tenant;
let count = 0;

const API = '/api/v1/compliance';
const get = async (path: string, { apiKey } = tenant): Promise<Json> =>
  (await deployment.http.expect(200, { path: `${API}/${path}`, apiKey })).json;
const post = (path: string, body: object, { apiKey } = tenant): Promise<Answer> =>
  deployment.http.send({ path: `${API}/${path}`, apiKey, body });
const done = async (path: string, body: object): Promise<Json> => {
  const answer = await post(path, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json;
};
const matches = async (query = '', of = tenant): Promise<readonly Match[]> =>
  (await get(`matches?${query}`, of))['matches'] as Match[];
const check = async (): Promise<Json> => done('sanctions', LISTED);

/** Somebody new of this name, and what screening in the background found of them. */
const listedPerson = async (
  of = tenant,
): Promise<{ readonly who: Person; readonly id: string; readonly match: Match }> => {
  const who = { ...person(85_000 + (count += 1)), ...LISTED };
  await ingestAll(deployment.http, of, [who]);
  const query = new URLSearchParams({ email: who.email, phone_number: who.phone_number });
  const path = `/api/v1/identities?${query.toString()}`;
  const { json } = await deployment.http.expect(200, { path, apiKey: of.apiKey });
  const id = (json['identities'] as { identity_id: string }[])[0]?.identity_id ?? '';
  const match = await eventually('the match', async () =>
    (await matches('', of)).find(({ identity_id }) => identity_id === id),
  );
  return { who, id, match };
};

beforeAll(async () => {
  receiver = await TestReceiver.start();
  deployment = await SharedDeployment.take('quick');
  [tenant, other] = [await deployment.operator.tenant({ credits: 1_000 }), await deployment.operator.tenant()];
  const body = { url: receiver.url('/matches'), events: ['sanctions.match'] };
  await deployment.http.expect(201, { path: '/api/v1/webhooks/endpoints', apiKey: tenant.apiKey, body });
}, 90_000);

afterAll(async () => {
  await deployment.leave();
  await receiver.stop();
});

describe('a listed person who is ingested', () => {
  it('is a match to be judged, under ids that event, audit log and decision share, and costs nothing', async () => {
    const { id, who, match } = await listedPerson();
    const { match_id, decision_id } = match;
    expect(match).toMatchObject({ status: 'open', result: 'confirmed_match', decided_by: null, note: null });
    const announced = await eventually('the event', () =>
      receiver
        .at('/matches')
        .map(({ body }) => (JSON.parse(body) as { data: Json }).data)
        .find((data) => data['match_id'] === match_id),
    );
    expect(announced).toMatchObject({ identity_id: id, decision_id, entry_id: expect.any(String) as string });
    const { logs } = await get('audit-log?action=sanctions_check');
    const entry = (logs as Json[]).find((each) => each['match_id'] === match_id);
    expect(entry).toMatchObject({ decision_id, identity_id: id, result: 'confirmed_match' });
    const decision = await get(`decisions/${decision_id}`);
    expect(decision).toMatchObject({
      ...{ origin: 'background', identity_id: id, kind: 'sanctions' },
      person: { full_name: LISTED.full_name, date_of_birth: LISTED.date_of_birth },
      stored: { status: 'confirmed_match' },
    });
    const stored = (decision['stored'] as { matches: Json[] }).matches.find((each) => each['match_id'] === match_id);
    expect(stored).toMatchObject({ dismissed: false, name: expect.any(String) as string });
    expect((stored?.['reasons'] as string[]).length).toBeGreaterThan(0);
    expect(await get(`decisions/${decision_id}/replay`)).toMatchObject({ reproduced: true });
    const { decisions } = await get('decisions');
    expect(decisions).toContainEqual(expect.objectContaining({ decision_id, origin: 'background' }));
    const enquiry = { email: who.email, phone_number: who.phone_number };
    expect(await balanceOf(deployment.http, tenant)).toBe(1_000);
    const call = { path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry };
    expect((await deployment.http.expect(200, call)).json['found']).toBe(true);
  });

  it('is assigned, dismissed, reopened and confirmed, with who and why', async () => {
    const { id, match } = await listedPerson();
    const path = `matches/${match.match_id}`;
    expect(await done(`${path}/assign`, { to: 'Vera' })).toEqual({
      match_id: match.match_id,
      assigned: true,
      status: 'open',
      version: 2,
    });
    expect(await get(path)).toMatchObject({ status: 'open', assigned_to: 'Vera' });
    await done(`${path}/dismiss`, { reason: 'Another birth place' });
    expect(await matches('status=dismissed')).toContainEqual(expect.objectContaining({ match_id: match.match_id }));
    await done(`${path}/reopen`, { reason: 'The passport came' });
    expect(await get(path)).toMatchObject({ status: 'open', note: null, decided_by: null, version: 4 });
    await done(`${path}/confirm`, { note: 'The passport agrees', version: 4 });
    const confirmed = await get(path);
    const by = { type: 'api_key', key_id: expect.stringMatching(/^\w{8}$/) as string };
    expect(confirmed).toMatchObject({ status: 'confirmed', note: 'The passport agrees', decided_by: by });
    expect((await get(path))['history']).toMatchObject([
      { change: 'assigned', text: 'Vera', by },
      { change: 'dismissed', text: 'Another birth place', by },
      { change: 'reopened', text: 'The passport came', by },
      { change: 'confirmed', text: 'The passport agrees', by },
    ]);
    const { logs } = await get('audit-log?action=match_assigned,match_dismissed,match_reopened,match_confirmed');
    const own = (logs as Json[]).filter((entry) => entry['match_id'] === match.match_id);
    expect(own.map((entry) => [entry['action'], entry['identity_id']])).toEqual(
      ['match_confirmed', 'match_reopened', 'match_dismissed', 'match_assigned'].map((action) => [action, id]),
    );
  });

  it('is judged again with another note, and once under one Idempotency-Key', async () => {
    const { match } = await listedPerson();
    const path = `matches/${match.match_id}`;
    await done(`${path}/confirm`, { note: 'The name agrees' });
    await done(`${path}/reopen`, { reason: 'The passport came' });
    const headers = { 'idempotency-key': randomUUID() };
    const call = { path: `${API}/${path}/confirm`, apiKey: tenant.apiKey, body: { note: 'The passport too' }, headers };
    const answers = [await deployment.http.send(call), await deployment.http.send(call)];
    expect(answers.map(({ status, text }) => [status, text.includes('passport')])).toEqual([
      [200, false],
      [200, false],
    ]);
    const { note, history } = await get(path);
    expect([note, (history as Json[]).map(({ text }) => text)]).toEqual([
      'The passport too',
      ['The name agrees', 'The passport came', 'The passport too'],
    ]);
    const { logs } = await get('audit-log?action=match_confirmed');
    expect((logs as Json[]).filter(({ match_id }) => match_id === match.match_id)).toHaveLength(2);
  });

  it('is judged by one of two officers at once, and the other hears who decided what', async () => {
    const { match } = await listedPerson();
    const path = `matches/${match.match_id}`;
    const answers = await Promise.all([
      post(`${path}/confirm`, { note: 'The name agrees' }),
      post(`${path}/dismiss`, { reason: 'Another birth place' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = answers.find(({ status }) => status === 409)?.json;
    const change = answers[0]?.status === 200 ? 'confirmed' : 'dismissed';
    expect(late).toMatchObject({
      error_code: 'CONFLICT',
      detail: expect.stringMatching(new RegExp(`was ${change} at 20.* by API key \\w{8} and has version 2`)) as string,
    });
    expect(await get(path)).toMatchObject({ status: change, version: 2 });
  });

  it('is judged as it was read, by If-Match or by the member version', async () => {
    const { match } = await listedPerson();
    const path = `matches/${match.match_id}`;
    await done(`${path}/assign`, { to: 'Vera', version: 1 });
    const judged = (value: string, body: object): Promise<Answer> =>
      deployment.http.send({
        path: `${API}/${path}/confirm`,
        apiKey: tenant.apiKey,
        body: { note: 'x', ...body },
        headers: { 'if-match': value },
      });
    expect((await judged('"1"', {})).json).toMatchObject({ error_code: 'CONFLICT' });
    expect((await judged('W/"2"', {})).json).toMatchObject({ errors: [{ field: 'If-Match' }] });
    expect((await judged('"2"', { version: 1 })).json).toMatchObject({ errors: [{ field: 'version' }] });
    expect((await get(path))['status']).toBe('open');
    expect((await judged('"2"', { version: 2 })).status).toBe(200);
    expect((await post(`${path}/reopen`, { reason: 'x', version: 2 })).status).toBe(409);
  });

  it('is shown with the person and the entry where that is asked for, and the audit log says so once', async () => {
    const { who, id, match } = await listedPerson();
    const path = `matches/${match.match_id}`;
    expect(await get(path)).not.toHaveProperty('subject');
    const { subject, entry, evidence } = await get(`${path}?reveal=true`);
    expect(subject).toMatchObject({ full_name: LISTED.full_name, date_of_birth: LISTED.date_of_birth });
    expect(entry).toMatchObject({
      type: 'individual',
      names: [{ name: LISTED.full_name, quality: 'strong' }],
      birth_dates: [LISTED.date_of_birth],
      source: expect.stringMatching(/^https:/) as string,
    });
    expect((entry as Json)['reasons']).toEqual((evidence as Json[]).map(({ sentence }) => sentence));
    expect(evidence).toContainEqual(expect.objectContaining({ part: 'name', verdict: 'agrees' }));
    const entries = async (): Promise<Json[]> => (await get('audit-log?action=matches_revealed'))['logs'] as Json[];
    const about = { match_id: match.match_id, identity_id: id, records: null };
    const own = (await entries()).filter(({ match_id }) => match_id === match.match_id);
    expect(own).toEqual([expect.objectContaining(about)]);
    expect(own[0]?.['identity_hash']).toMatch(/^[0-9a-f]{64}$/);
    const { matches: shown } = await get('matches?reveal=true&limit=3');
    expect((shown as Json[]).map((each) => (each['subject'] as Json)['full_name'])).toContain(who.full_name);
    expect((await entries())[0]).toMatchObject({ match_id: null, records: (shown as Json[]).length });
    expect((await get('matches?reveal=true&limit=50'))['matches']).toBeDefined();
    const wide = await deployment.http.send({ path: `${API}/matches?reveal=true&limit=51`, apiKey: tenant.apiKey });
    expect(wide.json).toMatchObject({ errors: [{ field: 'limit' }] });
  });

  it('whose notes are read leaves an entry, and one without any leaves none', async () => {
    const { match } = await listedPerson();
    const path = `matches/${match.match_id}`;
    const entries = async (): Promise<Json[]> => (await get('audit-log?action=matches_read'))['logs'] as Json[];
    const before = (await entries()).length;
    await get(path);
    expect(await entries()).toHaveLength(before);
    await done(`${path}/assign`, { to: 'Vera' });
    await get(path);
    expect((await entries())[0]).toMatchObject({ match_id: match.match_id, result: 'ok' });
    await matches('limit=1');
    expect((await entries())[0]).toMatchObject({ match_id: null, records: 1 });
  });

  it('that was dismissed, reopened and confirmed counts in checks, also after its record changed', async () => {
    const { who, id, match } = await listedPerson();
    await done(`matches/${match.match_id}/dismiss`, { reason: 'Another birth place' });
    expect((await check())['status']).toBe('clear');
    const moved: Person & { readonly country_code: string } = { ...who, country_code: 'DE' };
    await ingestAll(deployment.http, tenant, [moved]);
    await done(`matches/${match.match_id}/reopen`, { reason: 'The passport came' });
    await done(`matches/${match.match_id}/confirm`, { note: 'The passport agrees' });
    expect((await check())['status']).toBe('confirmed_match');
    const decision = await get(`decisions/${match.decision_id}/replay`);
    expect([id, decision['reproduced']]).toEqual([id, true]);
  });

  it('is an access to the person when its decision is read or judged', async () => {
    const { who, match } = await listedPerson();
    await get(`decisions/${match.decision_id}`);
    await done(`matches/${match.match_id}/confirm`, { note: 'x' });
    const accessesArgs = ['accesses', '--email', who.email, '--phone', who.phone_number, '--justification', 'Asked'];
    const accessReport = await eventually('both accesses', async () => {
      const { lines } = await runAudit(deployment, ...accessesArgs);
      return lines.length >= 3 ? lines.join('\n') : undefined;
    });
    expect(accessReport).toMatch(/sent data in[^]*read a screening decision[^]*confirmed a match/);
  });

  it('is nobody else’s to see or judge', async () => {
    const { match } = await listedPerson();
    const path = `matches/${match.match_id}`;
    expect((await matches('', other)).map(({ match_id }) => match_id)).not.toContain(match.match_id);
    const answers = await Promise.all([
      deployment.http.send({ path: `${API}/${path}`, apiKey: other.apiKey }),
      deployment.http.send({ path: `${API}/decisions/${match.decision_id}`, apiKey: other.apiKey }),
      post(`${path}/confirm`, { note: 'x' }, other),
      post(`${path}/dismiss`, { reason: 'x' }, other),
      post(`${path}/assign`, { to: 'x' }, other),
      post(`${path}/reopen`, { reason: 'x' }, other),
      deployment.http.send({ path: `${API}/${path}?reveal=true`, apiKey: other.apiKey }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    expect((await get(path))['history']).toEqual([]);
  });

  it('is gone from the queue, with all texts of its review, once erased', async () => {
    const { id, match } = await listedPerson();
    await done(`matches/${match.match_id}/confirm`, { note: 'Named in a note' });
    const path = `/api/v1/identity/${id}`;
    await deployment.http.expect(202, { method: 'DELETE', path, apiKey: tenant.apiKey });
    await eventually('the end of the match', async () =>
      (await matches()).every(({ match_id }) => match_id !== match.match_id),
    );
    for (const gone of [`matches/${match.match_id}`, `decisions/${match.decision_id}`])
      expect((await deployment.http.send({ path: `${API}/${gone}`, apiKey: tenant.apiKey })).status).toBe(404);
    const entry = await eventually('the entry of the erasure', async () => {
      const { logs } = await get('audit-log?action=identity_erased');
      return (logs as Json[]).find((each) => each['identity_id'] === id);
    });
    expect(entry['identity_hash']).toMatch(/^[0-9a-f]{64}$/);
    const certificate = { path: `${path}/erasure-certificate`, apiKey: tenant.apiKey };
    await eventually('the certificate', async () => (await deployment.http.send(certificate)).status === 200);
  });
});

describe('a match of a check', () => {
  it('does not count while it is dismissed, and counts again once confirmed', async () => {
    const first = await check();
    expect(first['status']).toBe('confirmed_match');
    for (const { match_id } of first['matches'] as Match[]) await done(`matches/${match_id}/dismiss`, { reason: 'x' });
    expect((await check())['status']).toBe('clear');
    const [wrong] = first['matches'] as [Match];
    await done(`matches/${wrong.match_id}/reopen`, { reason: 'Their passport came' });
    expect((await check())['status']).toBe('confirmed_match');
    await done(`matches/${wrong.match_id}/confirm`, { note: 'It is them after all' });
    expect((await check())['status']).toBe('confirmed_match');
    const { decision_id } = first;
    const listed = (await matches('limit=200')).filter((each) => each.decision_id === decision_id);
    expect(listed.map(({ status }) => status).sort()).toEqual(
      ['confirmed', ...listed.slice(1).map(() => 'dismissed')].sort(),
    );
    expect(await get('decisions')).toMatchObject({
      decisions: expect.arrayContaining([
        expect.objectContaining({ decision_id, origin: 'check', identity_id: null, result: 'confirmed_match' }),
      ]) as unknown,
    });
  });

  it('counts again once confirmed, whatever else was judged of the same name in between', async () => {
    const judge = async ({ matches: found }: Json, as: string, text: object): Promise<void> => {
      for (const { match_id } of found as Match[]) await done(`matches/${match_id}/${as}`, text);
    };
    const [first, second] = [await check(), await check()];
    await judge(first, 'confirm', { note: 'x' });
    await judge(second, 'dismiss', { reason: 'x' });
    expect((await check())['status']).toBe('clear');
    await judge(first, 'reopen', { reason: 'x' });
    await judge(first, 'confirm', { note: 'Still them' });
    expect((await check())['status']).toBe('confirmed_match');
  });

  it('is confirmed of a politically exposed person, too', async () => {
    const found = await done('pep', EXPOSED);
    const [{ match_id }] = found['matches'] as [Match];
    expect(await done(`matches/${match_id}/confirm`, { note: 'It is them' })).toMatchObject({ match_id });
  });

  it('goes with its decision', async () => {
    const { decision_id, matches: found } = await check();
    const [{ match_id }] = found as [Match];
    await done(`matches/${match_id}/assign`, { to: 'Vera' });
    const path = `${API}/decisions/${String(decision_id)}`;
    await deployment.http.expect(204, { method: 'DELETE', path, apiKey: tenant.apiKey });
    const answer = await deployment.http.send({ path: `${API}/matches/${match_id}`, apiKey: tenant.apiKey });
    expect(answer.status).toBe(404);
  });
});

describe('the queue', () => {
  it('is read page by page, whatever is new, and by list, state and time', async () => {
    for (let people = 0; people < 3; people += 1) await listedPerson(other);
    const all = await matches('limit=200', other);
    const half = Math.floor(all.length / 2);
    const first = await get(`matches?limit=${half}`, other);
    await listedPerson(other);
    const second = await get(`matches?limit=200&cursor=${String(first['next_cursor'])}`, other);
    expect([first, second].flatMap((page) => page['matches'] as Match[])).toEqual(all);
    expect(second['next_cursor']).toBeNull();
    expect(await matches('list=EU_CONSOLIDATED&status=confirmed', other)).toEqual([]);
    const [newest] = await matches('', other);
    const since = encodeURIComponent(newest?.found_at ?? '');
    const young = await matches(`since=${since}`, other);
    expect(new Set(young.map(({ decision_id }) => decision_id))).toEqual(new Set([newest?.decision_id]));
  });

  it.each(['cursor=nonsense', 'status=closed', 'list=nobodys', 'limit=0'])('refuses %s by its name', async (query) => {
    const path = `${API}/matches?${query}`;
    const { status, json } = await deployment.http.send({ path, apiKey: tenant.apiKey });
    expect(status).toBe(422);
    expect(json['errors']).toMatchObject([{ field: query.slice(0, query.indexOf('=')) }]);
  });
});
