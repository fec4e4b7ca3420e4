import { ConsoleSessions } from '../../src/accounts/sessions/console-sessions.js';
import { systemClock } from '../../src/kernel/clock.js';
import { type Role } from '../../src/http/request-context.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type Answer, type Call } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';

const SOMEBODY = person(7);
/** Close to a listed name, which security sees. */
const ASKED = 'Potentiall Testmatch';

let deployment: SharedDeployment;
let tenant: Tenant;
let decisionId: string;

/** A session of the console as an operator with these roles. */
const sessionAs = async (...roles: readonly Role[]): Promise<string> => {
  const database = new Database({ connectionString: deployment.databaseUrl });
  try {
    const sessions = new ConsoleSessions(database, systemClock);
    const principal = { kind: 'operator', subject: 'eve', roles } as const;
    return `kyc_console=${await sessions.begin({ principal, isDemo: false })}`;
  } finally {
    await database.close();
  }
};

const ask = (cookie: string, path: string, call: Partial<Call> = {}): Promise<Answer> =>
  deployment.http.send({ path: `/console/api${path}`, headers: { cookie, 'x-console': '1' }, ...call });

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  tenant = await deployment.operator.tenant({ name: 'Bank of the tests', credits: 100 });
  await ingestAll(deployment.http, tenant, [SOMEBODY]);
  const call = { path: '/api/v1/compliance/sanctions', apiKey: tenant.apiKey, body: { full_name: ASKED } };
  decisionId = String((await deployment.http.expect(200, call)).json['decision_id']);
}, 90_000);

afterAll(() => deployment.leave());

it('shows no operator the routes of a tenant, whatever the roles', async () => {
  const cookie = await sessionAs('support', 'admin', 'security');
  for (const path of ['/api/v1/identity', '/billing/credits', '/api/v1/compliance/audit-log', '/api/v1/keys'])
    expect([path, (await ask(cookie, path)).status]).toEqual([path, 403]);
  const search = { body: { email: SOMEBODY.email, phone_number: SOMEBODY.phone_number } };
  expect((await ask(cookie, '/api/v1/identities/search', search)).status).toBe(403);
});

it('shows support accounts without a name of a person, and nothing of decisions, logs or read models', async () => {
  const cookie = await sessionAs('support');
  const accounts = await ask(cookie, '/admin/accounts');
  expect(accounts.status).toBe(200);
  expect(accounts.text).toContain('Bank of the tests');
  expect(accounts.text).not.toContain('operations@example.org');
  const refused = [`/admin/decisions/${decisionId}`, '/admin/audit-log', '/admin/projections', '/admin/stream'];
  for (const path of [...refused, '/admin/audit/replay', '/admin/drift', '/admin/incident'])
    expect([path, (await ask(cookie, path)).status]).toEqual([path, 403]);
  const adjust = { body: { amount: 1_000, reason: 'For me' } };
  expect((await ask(cookie, `/admin/accounts/${tenant.tenantId}/credits`, adjust)).status).toBe(403);
});

it('shows security decisions and replays without a name, and lets it rebuild nothing', async () => {
  const cookie = await sessionAs('security');
  const decision = await ask(cookie, `/admin/decisions/${decisionId}`);
  expect(decision.status).toBe(200);
  expect(decision.text).not.toContain(ASKED);
  const replay = await ask(cookie, `/admin/audit/replay?tenant_id=${tenant.tenantId}`);
  expect(replay.status).toBe(200);
  for (const personal of Object.values(SOMEBODY)) expect(replay.text).not.toContain(personal);
  const rebuild = { body: { reason: 'For me' } };
  expect((await ask(cookie, '/admin/projections/ledger/rebuild', rebuild)).status).toBe(403);
  expect((await ask(cookie, '/admin/parked-events/x/retry', { method: 'POST' })).status).toBe(403);
});

it('takes no role that the session has not', async () => {
  const cookie = await sessionAs('support');
  const role = { path: '/console/session/role', headers: { cookie, 'x-console': '1' }, body: { role: 'operator' } };
  expect((await deployment.http.send(role)).status).toBe(403);
  expect((await ask(cookie, '/admin/audit-log')).status).toBe(403);
});
