import { type Answer, type Json } from '../support/load/http.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { enquiry, person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

const API = '/api/v1/compliance';
const COUNTRIES = ['CH', 'DE', 'FR', 'IT', 'AT', 'ES', 'PT', 'NL', 'BE', 'DK', 'SE', 'NO', 'FI', 'PL', 'CZ', 'HU'];

let deployment: SharedDeployment;
let tenant: Tenant;
let officer: string;
let asked = 0;

const send = (apiKey: string, path: string, body?: object, method?: 'PATCH'): Promise<Answer> =>
  deployment.http.send({ path: `${API}/${path}`, apiKey, ...(body && { body }), ...(method && { method }) });

const review = (apiKey: string, id: string, what: string, body: object): Promise<Answer> =>
  send(apiKey, `matches/${id}/${what}`, body);

/** By an operator, so that no other key made it. */
const newOfficer = async (scopes = ['compliance']): Promise<string> => {
  const call = { path: `/admin/accounts/${tenant.tenantId}/keys`, token: deployment.operator.token };
  const { json } = await deployment.http.expect(201, { ...call, body: { name: 'Officer', scopes } });
  return String(json['api_key']);
};

const newMatch = async (): Promise<string> => {
  const body = { full_name: 'Confirmed Testmatch', country: COUNTRIES[(asked += 1)] };
  const { json } = await deployment.http.expect(200, { path: `${API}/sanctions`, apiKey: tenant.apiKey, body });
  return String((json['matches'] as Json[])[0]?.['match_id']);
};

const shown = async (id: string): Promise<Json> => {
  const { json } = await deployment.http.expect(200, { path: `${API}/matches/${id}`, apiKey: tenant.apiKey });
  return json;
};

const listed = async (query: string): Promise<readonly unknown[]> => {
  const { json } = await deployment.http.expect(200, { path: `${API}/matches?${query}`, apiKey: tenant.apiKey });
  return (json['matches'] as Json[]).map((match) => match['match_id']);
};

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 200 });
  officer = await newOfficer();
  expect((await send(tenant.apiKey, 'review', { four_eyes: true, due_days: 3 }, 'PATCH')).json).toMatchObject({
    four_eyes: true,
    due_days: 3,
  });
}, 90_000);
afterAll(() => deployment.leave());

const proposed = async (): Promise<string> => {
  const id = await newMatch();
  const answer = await review(tenant.apiKey, id, 'dismiss', { reason: 'Another person', version: 1 });
  expect(answer.json).toEqual({ match_id: id, dismissed: false, status: 'proposed', version: 2 });
  return id;
};

describe('with four eyes', () => {
  it('a dismissal counts once a second person approves it, and both are named', async () => {
    const id = await proposed();
    const waiting = await shown(id);
    const by = { type: 'api_key', key_id: expect.any(String) };
    expect(waiting).toMatchObject({ status: 'proposed', proposal: 'dismissed', proposed_by: by, decided_by: null });
    expect(waiting['note']).toBe('Another person');
    expect(await listed('status=proposed')).toContain(id);
    const again = await deployment.http.expect(200, {
      path: `${API}/sanctions`,
      apiKey: tenant.apiKey,
      body: { full_name: 'Confirmed Testmatch', country: COUNTRIES[asked] },
    });
    expect(again.json['status']).toBe('potential_match');
    const approval = await review(officer, id, 'approve', { note: 'Seen the passport', version: 2 });
    expect(approval.json).toEqual({ match_id: id, approved: true, status: 'dismissed', version: 3 });
    const after = await shown(id);
    expect(after).toMatchObject({ status: 'dismissed', proposal: null, proposed_by: waiting['proposed_by'] });
    expect((after['decided_by'] as Json)['key_id']).not.toBe((after['proposed_by'] as Json)['key_id']);
    expect((after['history'] as Json[]).map((step) => [step['change'], step['text']])).toEqual([
      ['proposed', 'Another person'],
      ['dismissed', 'Seen the passport'],
    ]);
  }, 60_000);

  it('no one approves alone: not by the key, its successor, a key that it made, or two keys that it made', async () => {
    const id = await proposed();
    const make = async (apiKey: string): Promise<string> => {
      const body = { name: 'Mine', scopes: ['compliance', 'keys'] };
      return String((await deployment.http.expect(201, { path: '/api/v1/keys', apiKey, body })).json['api_key']);
    };
    const [made, sister] = [await make(tenant.apiKey), await make(tenant.apiKey)];
    const child = await make(made);
    for (const apiKey of [tenant.apiKey, made, child]) {
      const answer = await review(apiKey, id, 'approve', { note: 'Me again', version: 2 });
      expect([answer.status, answer.code]).toEqual([403, 'FORBIDDEN']);
      expect((await review(apiKey, id, 'confirm', { note: 'Alone', version: 2 })).code).toBe('CONFLICT');
    }
    expect((await review(made, id, 'reject', { note: 'Taken back', version: 2 })).json['status']).toBe('open');
    expect((await review(child, id, 'confirm', { note: 'By a child', version: 3 })).json['status']).toBe('proposed');
    expect((await review(sister, id, 'approve', { note: 'By a sister', version: 4 })).code).toBe('FORBIDDEN');
    expect(await shown(id)).toMatchObject({ status: 'proposed', proposal: 'confirmed', decided_at: null });
  }, 60_000);

  it('an approval names the version that was read, and of many at once one counts', async () => {
    const id = await proposed();
    expect((await review(officer, id, 'approve', { note: 'Unread' })).code).toBe('INVALID_FIELD');
    expect((await review(officer, id, 'approve', { note: 'Stale', version: 1 })).code).toBe('CONFLICT');
    const approve = (): Promise<Answer> => review(officer, id, 'approve', { note: 'Read', version: 2 });
    const reject = (): Promise<Answer> => review(officer, id, 'reject', { note: 'No', version: 2 });
    const answers = await Promise.all([approve(), reject(), approve(), reject()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  }, 60_000);

  it('only the scope members ends it', async () => {
    const off = { four_eyes: false };
    const developer = await newOfficer(['compliance', 'keys']);
    expect((await send(developer, 'review', off, 'PATCH')).json).toMatchObject({ error_code: 'FORBIDDEN' });
    expect((await send(officer, 'review', off, 'PATCH')).json).toMatchObject({ error_code: 'FORBIDDEN' });
    expect((await send(officer, 'review', { due_days: 4 }, 'PATCH')).json).toMatchObject({ four_eyes: true });
    expect((await send(tenant.apiKey, 'review', off, 'PATCH')).json).toMatchObject({ four_eyes: false });
    await send(tenant.apiKey, 'review', { four_eyes: true }, 'PATCH');
  });

  it('many are proposed with one reason, each with its own outcome, and repeated under one key only once', async () => {
    const ids = [await newMatch(), await proposed(), 'mat_unknown', await newMatch()];
    const body = { match_ids: ids, decision: 'dismiss', reason: 'Other people' };
    const headers = { 'Idempotency-Key': `bulk-${ids[0] ?? ''}` };
    const call = { path: `${API}/matches/bulk`, apiKey: officer, body, headers };
    const { json } = await deployment.http.expect(200, call);
    const codes = (json['outcomes'] as Json[]).map(({ status, error }) => status ?? (error as Json)['error_code']);
    expect(codes).toEqual(['proposed', 'CONFLICT', 'NOT_FOUND', 'proposed']);
    expect((await deployment.http.expect(200, call)).json).toEqual(json);
    expect(await shown(ids[0] ?? '')).toMatchObject({ status: 'proposed', version: 2 });
  }, 60_000);

  it('a match is given to a member, who finds it, and the summary counts it', async () => {
    const invite = { email: 'olga@example.org', name: 'Olga', role: 'officer' };
    const call = { path: '/api/v1/members', apiKey: tenant.apiKey, body: invite };
    const member = String((await deployment.http.expect(201, call)).json['member_id']);
    const id = await newMatch();
    const assign = (body: object): Promise<Answer> => review(tenant.apiKey, id, 'assign', body);
    const unknown = `mbr_${'0'.repeat(26)}`;
    for (const bad of [{}, { to: 'Olga', member_id: member }, { member_id: unknown }, { member_id: 'olga' }])
      expect([bad, (await assign(bad)).code]).toEqual([bad, 'INVALID_FIELD']);
    expect((await assign({ member_id: member, version: 1 })).json).toMatchObject({ assigned: true, version: 2 });
    expect(await listed(`assigned_to=${member}`)).toEqual([id]);
    expect(await shown(id)).toMatchObject({ assigned_to: null, assigned_member: member, due_at: expect.any(String) });
    const { json } = await send(tenant.apiKey, 'matches/summary');
    const own = (json['by_member'] as Json[]).find((each) => each['member_id'] === member);
    expect(own).toEqual({ member_id: member, open: 1, proposed: 0, confirmed: 0, dismissed: 0, overdue: 0 });
    expect(json['total']).toMatchObject({ overdue: 0 });
  }, 60_000);

  it('an erasure at once is proposed, approved by another person, and kept by a rejection', async () => {
    const four = await send(tenant.apiKey, 'review', { four_eyes_erasure: true }, 'PATCH');
    expect(four.json).toMatchObject({ four_eyes_erasure: true });
    const colleague = await newOfficer(['data']);
    const who = person(72_001);
    await ingestAll(deployment.http, tenant, [who]);
    const query = new URLSearchParams(enquiry(who)).toString();
    const list = { path: `/api/v1/identities?${query}`, apiKey: tenant.apiKey };
    const { identities } = (await deployment.http.expect(200, list)).json as { identities: Json[] };
    const path = `/api/v1/identity/${String(identities[0]?.['identity_id'])}/erase`;
    const ask = (apiKey: string): Promise<Answer> =>
      deployment.http.send({ path, apiKey, body: { reason: 'Asked for it' } });
    const present = async (): Promise<Json> =>
      (await deployment.http.expect(200, { method: 'GET', path, apiKey: tenant.apiKey })).json;
    const reply = async (apiKey: string, what: string, of?: unknown): Promise<Answer> => {
      const body = { reason: 'Seen', proposal_id: of ?? (await present())['proposal_id'] };
      return deployment.http.send({ path: `${path}/${what}`, apiKey, body });
    };
    expect((await ask(tenant.apiKey)).json).toMatchObject({ status: 'proposed', certificate: null });
    const { proposal_id: first } = await present();
    expect((await ask(tenant.apiKey)).code).toBe('CONFLICT');
    expect((await reply(tenant.apiKey, 'approve')).code).toBe('FORBIDDEN');
    expect((await reply(colleague, 'reject')).json).toMatchObject({ status: 'kept', certificate: null });
    expect((await reply(colleague, 'approve', first)).code).toBe('CONFLICT');
    expect((await ask(colleague)).json).toMatchObject({ status: 'proposed' });
    expect((await reply(tenant.apiKey, 'approve', first)).code).toBe('CONFLICT');
    const approved = await reply(tenant.apiKey, 'approve');
    expect([approved.status, approved.json]).toEqual([202, expect.objectContaining({ status: 'erasing' })]);
    // Who comes later is neither its approver nor its proposer.
    await reply(colleague, 'approve', first);
    await ask(colleague);
    const { logs } = (await send(tenant.apiKey, `audit-log?action=identity_deleted,erasure_proposed`)).json;
    expect((logs as Json[]).map(({ action }) => action)).toEqual([
      'identity_deleted',
      'erasure_proposed',
      'erasure_proposed',
    ]);
    const gone = { path: path.replace('/erase', ''), apiKey: tenant.apiKey };
    await eventually('the end', async () => (await deployment.http.send(gone)).status === 404);
  }, 60_000);

  it('what waits is found by its least score, and what is overdue by the days that the account set', async () => {
    const id = await newMatch();
    await eventually('the match', async () => (await listed('status=open&min_score=0.5')).includes(id));
    expect(await listed('overdue=true')).toEqual([]);
    const bad = await send(tenant.apiKey, 'matches?min_score=2');
    expect(bad.json).toMatchObject({ error_code: 'INVALID_FIELD' });
  }, 60_000);
});
