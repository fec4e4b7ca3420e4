import { randomUUID } from 'node:crypto';
import { type IssuingTenant, issue, issuerTokenFor } from '../support/credentials.js';
import { type Json } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

/** In every text of a person that is stored sealed. */
const MARK = 'Zephyrine';
const ANNA = {
  ...person(97_001),
  full_name: `${MARK} Holloway`,
  external_id: `${MARK}-4711`,
  document_reference: `${MARK}-passport`,
  extra_data: { note: `${MARK} in the data` },
};
const LISTED = {
  ...person(97_002),
  full_name: 'Confirmed Testmatch',
  date_of_birth: '1970-01-01',
  external_id: `${MARK}-2`,
};

/** Answers that anybody expects to show such a text. The rest must not, or must leave an entry too. */
const SHOWN = [
  '/api/v1/identity/{id}',
  '/api/v1/ingest/{ingestionId}',
  '/api/v1/ingest/{ingestionId}/records',
  '/api/v1/events',
  '/api/v1/events/{event_id}',
  '/api/v1/events/stream',
  '/api/v1/credentials/{jti}',
  '/api/v1/claims/{id}/record',
  '/api/v1/compliance/decisions/{id}/replay',
  '/api/v1/compliance/matches',
  '/api/v1/compliance/matches/{match_id}',
];

let deployment: SharedDeployment;
let holder: IssuingTenant;
let asker: Tenant;
/** By template, the path with the ids of what holds the mark. */
let paths: Readonly<Record<string, string>>;
/** The holder's first event. */
let oldest: string;

const get = async (path: string, { apiKey }: Tenant): Promise<Json> =>
  (await deployment.http.expect(200, { path, apiKey })).json;

const post = async (status: number, path: string, { apiKey }: Tenant, body: object): Promise<Json> =>
  (await deployment.http.expect(status, { path, apiKey, body })).json;

const entriesOf = async (tenant: Tenant): Promise<number> => {
  const { pagination } = await get('/api/v1/compliance/audit-log?limit=1', tenant);
  return (pagination as { total: number }).total;
};

const first = async (path: string, list: string, tenant: Tenant): Promise<Json> => {
  const rows = (await get(path, tenant))[list] as Json[];
  if (rows[0] === undefined) throw new Error(`${path} has none`);
  return rows[0];
};

/** The id of an ingestion whose error names the record by the holder's own id: its person is deleted. */
const refusedIngestion = async (): Promise<string> => {
  const gone = person(97_003);
  await ingestAll(deployment.http, holder, [gone]);
  const { identities } = await get(`/api/v1/identities?${new URLSearchParams(enquiry(gone)).toString()}`, holder);
  const path = `/api/v1/identity/${String((identities as Json[])[0]?.['identity_id'])}`;
  await deployment.http.expect(202, { method: 'DELETE', path, apiKey: holder.apiKey });
  const record = { ...gone, kyc_status: 'APPROVED', tier: 'Tier1', external_id: `${MARK}-7` };
  const id = String((await post(202, '/api/v1/ingest', holder, record))['ingestion_id']);
  await eventually('its end', async () => (await get(`/api/v1/ingest/${id}`, holder))['status'] === 'failed');
  return id;
};

/** What was written of persons: a review, a revocation, a claim, a check. */
const write = async (): Promise<void> => {
  await ingestAll(deployment.http, holder, [ANNA, LISTED]);
  const match = await eventually('the match', async () => {
    const { matches } = await get('/api/v1/compliance/matches', holder);
    return (matches as Json[])[0];
  });
  const path = `/api/v1/compliance/matches/${String(match['match_id'])}`;
  await post(200, `${path}/assign`, holder, { to: `${MARK} Reviewer` });
  await post(200, `${path}/dismiss`, holder, { reason: `${MARK} is another one` });
  const { jti } = await issue(deployment.http, holder, ANNA);
  await post(200, `/api/v1/credentials/${jti}/revoke`, holder, { reason: `${MARK} asked for it` });
  const claim = await post(202, '/api/v1/claims', asker, { ...enquiry(ANNA), purpose: 'onboarding' });
  const claimPath = `/api/v1/claims/${String(claim['claim_id'])}`;
  await eventually(
    'the claim at its holder',
    async () => (await deployment.http.send({ path: claimPath, apiKey: holder.apiKey })).status === 200,
  );
  await post(200, `${claimPath}/approve`, holder, { fields: ['full_name', 'date_of_birth'] });
  await post(200, '/api/v1/compliance/sanctions', holder, { full_name: `${MARK} Screened` });
  const decision = await first('/api/v1/compliance/decisions?limit=50', 'decisions', holder);
  const found = await get(`/api/v1/identities?${new URLSearchParams(enquiry(ANNA)).toString()}`, holder);
  const [identity] = found['identities'] as Json[];
  const events = (await get('/api/v1/events?limit=100', holder))['events'] as Json[];
  oldest = String(events[0]?.['id']);
  const marked = events.find((event) => JSON.stringify(event).includes(MARK));
  const ingested = await first('/api/v1/ingest', 'ingestions', holder);
  const ids = {
    '/api/v1/claims/{id}': claim['claim_id'],
    '/api/v1/claims/{id}/record': claim['claim_id'],
    '/api/v1/ingest/{ingestionId}': await refusedIngestion(),
    '/api/v1/ingest/{ingestionId}/records': ingested['ingestion_id'],
    '/api/v1/identity/{id}': identity?.['identity_id'],
    '/api/v1/credentials/{jti}': jti,
    '/api/v1/events/{event_id}': marked?.['id'],
    '/api/v1/compliance/decisions/{id}': decision['decision_id'],
    '/api/v1/compliance/decisions/{id}/replay': decision['decision_id'],
    '/api/v1/compliance/matches/{match_id}': match['match_id'],
  };
  paths = Object.fromEntries(
    Object.entries(ids).map(([template, id]) => [
      template,
      template.replace(/\{\w+\}/, encodeURIComponent(String(id))),
    ]),
  );
};

/** The templates of what an account's key may read, as the service documents them. */
const readable = async (): Promise<readonly string[]> => {
  const { json } = await deployment.http.expect(200, { path: '/openapi.json' });
  const documented = json['paths'] as Record<string, { get?: { security?: Record<string, unknown>[] } }>;
  return Object.entries(documented).flatMap(([path, { get: read }]) =>
    read?.security?.some((scheme) => 'apiKey' in scheme) === true ? [path] : [],
  );
};

const callsOf = (template: string): readonly string[] => {
  const path = paths[template] ?? template.replaceAll(/\{\w+\}/g, randomUUID());
  if (template === '/api/v1/events/stream') return [`${path}?after=${oldest}&seconds=1`];
  return template.startsWith('/api/v1/compliance/matches') ? [path, `${path}?reveal=true`] : [path];
};

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  const account = await deployment.operator.tenant({ credits: 1_000 });
  holder = { ...account, bearer: await issuerTokenFor(deployment.http, account) };
  asker = await deployment.operator.tenant({ credits: 1_000 });
  await write();
}, 120_000);

afterAll(() => deployment.leave());

describe('an answer that opens what is sealed of a person', () => {
  it('leaves one audit entry, whatever route it is of', async () => {
    const templates = await readable();
    expect(templates).toEqual(expect.arrayContaining(Object.keys(paths)));
    const opened = new Map<string, number[]>();
    for (const template of templates) {
      for (const path of callsOf(template)) {
        for (const tenant of [holder, asker]) {
          const before = await entriesOf(tenant);
          const { text } = await deployment.http.send({ path, apiKey: tenant.apiKey });
          if (!text.includes(MARK)) continue;
          const entries = (await entriesOf(tenant)) - before;
          opened.set(template, [...(opened.get(template) ?? []), entries]);
        }
      }
    }
    const without = [...opened].filter(([, entries]) => entries.some((count) => count !== 1));
    expect(without).toEqual([]);
    expect(SHOWN.filter((template) => !opened.has(template))).toEqual([]);
  }, 120_000);
});
