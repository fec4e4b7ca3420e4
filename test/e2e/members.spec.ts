import { randomUUID } from 'node:crypto';
import { type Call, type Json } from '../support/load/http.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { type Tenant } from '../support/load/tenants.js';

let deployment: SharedDeployment;
let tenant: Tenant;

const as = (path: string, call: Omit<Call, 'path'> = {}): Call => ({
  path: `/api/v1/${path}`,
  apiKey: tenant.apiKey,
  ...call,
});
const entries = async (): Promise<readonly Json[]> => {
  const call = as('compliance/audit-log?limit=100');
  return (await deployment.http.expect(200, call)).json['logs'] as Json[];
};

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 10 });
}, 90_000);
afterAll(() => deployment.leave());

it('who invites, changes or removes a member, or manages keys, leaves one entry an act', async () => {
  const { http } = deployment;
  const body = { name: 'Vera Officer', email: 'vera@example.org', role: 'officer' };
  const headers = { 'idempotency-key': randomUUID() };
  const invited = await http.expect(201, as('members', { body, headers }));
  await http.expect(201, as('members', { body, headers }));
  expect((await http.send(as('members', { body }))).code).toBe('CONFLICT');
  const id = String(invited.json['member_id']);
  await http.expect(200, as(`members/${id}`, { method: 'PATCH', body: { role: 'viewer' } }));
  await http.expect(200, as(`members/${id}`, { method: 'PATCH', body: { role: 'viewer' } }));
  await http.expect(204, as(`members/${id}`, { method: 'DELETE' }));
  const key = String((await http.expect(201, as('keys', { body: { name: 'Back office' } }))).json['id']);
  await http.expect(200, as(`keys/${key}`, { method: 'PATCH', body: { credit_cap_per_day: 5 } }));
  await http.expect(204, as(`keys/${key}`, { method: 'DELETE' }));
  const mine = ((await http.expect(200, as('keys'))).json['keys'] as Json[]).at(-1);
  const by = { type: 'api_key', key_id: mine?.['id'] };
  const ofMember = { member_id: id, key_id: null, result: 'ok', actor: by };
  const ofKey = { member_id: null, key_id: key, result: 'ok', actor: by };
  const logs = await entries();
  expect(logs).toMatchObject([
    { action: 'key_revoked', ...ofKey },
    { action: 'key_changed', ...ofKey },
    { action: 'key_created', ...ofKey },
    { action: 'member_removed', ...ofMember },
    { action: 'member_changed', ...ofMember },
    { action: 'member_invited', ...ofMember },
  ]);
  expect(JSON.stringify(logs)).not.toContain('vera');
});

it('two people invited at once with one address are one member', async () => {
  const body = { name: 'Otto Owner', email: 'otto@example.org', role: 'owner' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => deployment.http.send(as('members', { body }))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

it('an operator opens an account together with its first owner, or without one', async () => {
  const { http, operator } = deployment;
  const opened = { path: '/admin/accounts', token: operator.token };
  const body = { name: 'Bank of Examples', contact_email: 'kyc@example.org' };
  const half = await http.send({ ...opened, body: { ...body, owner_name: 'Olga Owner' } });
  expect([half.status, half.json['errors']]).toEqual([400, [expect.objectContaining({ field: 'owner_email' })]]);
  const owner = { owner_name: 'Olga Owner', owner_email: 'olga@example.org' };
  const { json } = await http.expect(201, { ...opened, body: { ...body, ...owner } });
  const members = await http.expect(200, { path: '/api/v1/members', apiKey: String(json['api_key']) });
  expect(members.json['members']).toMatchObject([
    { name: 'Olga Owner', email: 'olga@example.org', role: 'owner', status: 'invited' },
  ]);
});
