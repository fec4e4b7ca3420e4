import { Deployment } from '../support/load/deployment.js';
import { type Http } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { ingestAll, type Tenant, tokenFor } from '../support/load/tenants.js';
import { runAudit } from '../support/audit-command.js';
import { eventually } from '../support/stack.js';

const WHO: Person = person(9_001);

let deployment: Deployment;
let http: Http;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await Deployment.start({ env: { TIMING_CHECKPOINT_EVERY_MS: '1000' } });
  ({ http } = deployment);
  tenant = await deployment.operator.tenant({ credits: 100 });
  await ingestAll(http, tenant, [WHO]);
}, 120_000);
afterAll(() => deployment.stop(), 60_000);

describe('an integrator on the first day', () => {
  it('is led from the first page to the documentation, and to the chapter of an error', async () => {
    expect((await http.expect(200, { path: '/' })).text).toContain('/docs');
    const { json } = await http.expect(403, { path: '/billing/credits', apiKey: 'kyc_sandbox_wrong' });
    const chapter = new URL(String(json['doc_url']));
    const page = await http.expect(200, { path: chapter.pathname });
    expect(page.text).toContain(`id="${chapter.hash.slice(1)}"`);
  });

  it('hears of a misspelt name instead of getting another answer', async () => {
    const query = await http.expect(422, { path: '/billing/usage?dayz=7', apiKey: tenant.apiKey });
    expect(query.text).toContain('did you mean days?');
    const body = { ...WHO, kyc_status: 'APPROVED', document_refrence: 'x' };
    const { json } = await http.expect(202, { path: '/api/v1/ingest', apiKey: tenant.apiKey, body });
    expect(json['warnings']).toMatchObject([{ field: 'document_refrence', did_you_mean: 'document_reference' }]);
  });

  it('hears that an API key stands where a token belongs, and where its JSON breaks', async () => {
    const bearer = await http.expect(401, { path: '/api/v1/issue', token: tenant.apiKey, body: {} });
    expect(bearer.text).toMatch(/API key/);
    const broken = await http.expect(400, { path: '/api/v1/ingest', apiKey: tenant.apiKey, raw: '{"email": }' });
    expect(broken.text).toMatch(/position|line|character/i);
  });

  it('finds operations by names that a person would choose', async () => {
    const { json } = await http.expect(200, { path: '/openapi.json' });
    const paths = json['paths'] as Readonly<Record<string, { post?: { operationId?: string } }>>;
    expect(paths['/api/v1/check-eligibility']?.post?.operationId).toBe('checkEligibility');
  });
});

describe('an operator', () => {
  it('is not obeyed in part: a misspelt member is refused and named', async () => {
    const { token } = deployment.operator;
    const path = `/admin/accounts/${tenant.tenantId}`;
    const answer = await http.expect(422, { method: 'PATCH', path, token, body: { rate_limit_per_minutes: 5 } });
    expect(answer.text).toContain('rate_limit_per_minute');
  });

  it('sees who was refused', async () => {
    const token = await tokenFor(http, { roles: ['security'] });
    await http.expect(403, { path: '/billing/credits', apiKey: 'kyc_sandbox_another' });
    await eventually('the refusal in the security log', async () => {
      const { json } = await http.expect(200, { path: '/admin/security-log', token });
      return (json['events'] as unknown[]).length > 0;
    });
  });
});

describe('a reviewer of an incident', () => {
  it('gets from the id of an answer to the events that it caused', async () => {
    const checked = await http.expect(200, {
      path: '/api/v1/check-eligibility',
      apiKey: tenant.apiKey,
      body: enquiry(WHO),
    });
    const { json } = await runAudit(
      deployment,
      ...['replay', '--request', checked.header('x-request-id') ?? '', '--format', 'json'],
    );
    expect(json.map(({ event_type: type }) => type)).toEqual(['OperationCharged.v1']);
  });
});

describe('a compliance officer', () => {
  it('finds an access with its request, and the proof that it stands in the log', async () => {
    const checked = await http.expect(200, {
      path: '/api/v1/check-eligibility',
      apiKey: tenant.apiKey,
      body: enquiry(WHO),
    });
    const path = '/api/v1/compliance/audit-log?action=eligibility_check&proof=true&limit=100';
    await eventually('the entry with its proof', async () => {
      const { json } = await http.expect(200, { path, apiKey: tenant.apiKey });
      const entries = json['logs'] as { request_id: string; proof: unknown }[];
      const entry = entries.find(({ request_id: id }) => id === checked.header('x-request-id'));
      return entry !== undefined && entry.proof !== null;
    });
  });
});
