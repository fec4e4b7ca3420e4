import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestCommand } from '@kyc/tools/ingest/ingest';
import { recordRules } from '../../src/identity/http/record-rules.js';
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
  deployment = await Deployment.start({ env: { TIMING_CHECKPOINT_EVERY_MS: '1000', KEEP_ALIVE_SECONDS: '600' } });
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

  it('keeps a connection open for as long as the deployment says, so that a balancer may keep it longer or shorter', async () => {
    expect((await http.expect(200, { path: '/' })).header('keep-alive')).toBe('timeout=600');
  });

  it('is answered once the person can be found, where it prefers to wait', async () => {
    const [one, two] = [person(9_002), person(9_003)];
    const headers = { prefer: 'wait=10' };
    const ask = async (of: Person): Promise<unknown> => {
      const call = { path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry(of) };
      return (await http.expect(200, call)).json['found'];
    };
    const single = { path: '/api/v1/ingest', apiKey: tenant.apiKey, headers, body: { ...one, kyc_status: 'APPROVED' } };
    const first = await http.expect(202, single);
    expect([first.header('preference-applied'), await ask(one)]).toEqual(['wait=10', true]);
    const records = [{ ...two, kyc_status: 'APPROVED' }];
    const batch = { path: '/api/v1/ingest/batch', apiKey: tenant.apiKey, headers, body: { records } };
    const second = await http.expect(202, batch);
    expect([second.header('preference-applied'), await ask(two)]).toEqual(['wait=10', true]);
    const refused = await http.expect(202, { ...single, headers: { prefer: 'wait=900' } });
    expect(refused.header('preference-applied')).toBeUndefined();
  });

  it('finds each record of a batch again by its own id: in errors, records, the identity and events', async () => {
    const { apiKey } = tenant;
    const [one, two] = [person(9_004), person(9_005)];
    const records = [
      { ...one, kyc_status: 'APPROVED', external_id: 'customer-1' },
      { ...two, kyc_status: 'SURE', external_id: 'customer-2' },
      { ...two, kyc_status: 'APPROVED' },
    ];
    const batch = { path: '/api/v1/ingest/batch', apiKey, headers: { prefer: 'wait=10' }, body: { records } };
    const accepted = (await http.expect(202, batch)).json;
    const path = `/api/v1/ingest/${String(accepted['batch_id'])}`;
    const refused = { record_index: 1, external_id: 'customer-2', code: 'INVALID_FIELD' };
    expect(accepted['errors']).toMatchObject([refused]);
    const kept = { record_index: 1, code: 'INVALID_FIELD' };
    expect((await http.expect(200, { path, apiKey })).json['errors']).toEqual([expect.objectContaining(kept)]);
    const all = (await http.expect(200, { path: `${path}/records`, apiKey })).json;
    expect(all).toMatchObject({
      records: [
        { record_index: 0, external_id: 'customer-1', status: 'completed', error: null },
        {
          record_index: 1,
          external_id: null,
          status: 'refused',
          identity_id: null,
          error: { code: 'INVALID_FIELD' },
        },
        { record_index: 2, external_id: null, status: 'completed' },
      ],
      next_cursor: null,
    });
    const page = (await http.expect(200, { path: `${path}/records?status=completed&limit=1`, apiKey })).json;
    expect(page).toMatchObject({ records: [{ record_index: 0 }], next_cursor: '2' });
    const rest = (await http.expect(200, { path: `${path}/records?status=completed&limit=1&cursor=2`, apiKey })).json;
    expect(rest).toMatchObject({ records: [{ record_index: 2 }], next_cursor: null });
    const [{ identity_id }] = all['records'] as [{ identity_id: string }];
    const identity = (await http.expect(200, { path: `/api/v1/identity/${identity_id}`, apiKey })).json;
    expect(identity['external_id']).toBe('customer-1');
    const created = await eventually('its event', async () => {
      const events = (await http.expect(200, { path: '/api/v1/events?limit=1000', apiKey })).json['events'] as {
        readonly type: string;
        readonly data: Readonly<Record<string, unknown>>;
      }[];
      return events.find(({ type, data }) => type === 'identity.created' && data['identity_id'] === identity_id);
    });
    expect(created.data).toMatchObject({
      external_id: 'customer-1',
      record_index: 0,
      ingestion_id: accepted['batch_id'],
    });
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

describe('somebody with a spreadsheet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spreadsheet-'));
  const keyFile = join(folder, 'key');
  beforeAll(() => writeFileSync(keyFile, tenant.apiKey));
  afterAll(() => rmSync(folder, { recursive: true }));

  const command = (...words: readonly string[]): Promise<number> =>
    ingestCommand(words, { dataDir: folder, rules: recordRules(), print: () => undefined });
  const isFound = async (who: Person): Promise<unknown> =>
    (await http.expect(200, { path: '/api/v1/check-eligibility', body: enquiry(who), apiKey: tenant.apiKey })).json[
      'found'
    ];

  it('takes a spreadsheet as it is: judged first, then loaded, its rejected lines mended and loaded again', async () => {
    const [who, other] = [person(20_000), person(20_001)];
    const file = join(folder, 'export.csv');
    writeFileSync(
      file,
      'E-Mail;Telefon;Name;Geboren;Status;Filiale\n' +
        `${who.email};${who.phone_number};"Doe; Jane";3.12.1990;APPROVED;7\n` +
        `${other.email};${other.phone_number.slice(1)};Richard Roe;31.2.1990;APPROVED;7\n`,
    );
    const words = [
      ...[
        '--map',
        'E-Mail=email,Telefon=phone_number,Name=full_name',
        '--map',
        'Geboren=date_of_birth,Status=kyc_status',
      ],
      ...['--date-format', 'D.M.YYYY', '--extra-columns', 'Filiale'],
    ];
    const target = ['--url', http.baseUrl, '--api-key-file', keyFile];
    expect(await command(file, ...words, '--dry-run')).toBe(1);
    const judged = readFileSync(`${file}.dry-run.rejected.csv`, 'utf8');
    expect(await isFound(who)).toBe(false);
    expect(await command(file, ...words, ...target)).toBe(1);
    const refused = readFileSync(`${file}.rejected.csv`, 'utf8');
    expect(refused).toBe(judged);
    expect(refused).toContain('line 3: INVALID_PHONE: phone_number: ');
    expect(refused).toContain('; date_of_birth: ');
    expect([await isFound(who), await isFound(other)]).toEqual([true, false]);
    const mended = refused.replace(other.phone_number.slice(1), other.phone_number).replace('31.2.', '28.2.');
    writeFileSync(`${file}.rejected.csv`, mended);
    expect(await command(`${file}.rejected.csv`, ...words, ...target)).toBe(0);
    expect(await isFound(other)).toBe(true);
  }, 60_000);
});
