import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingTools, outputOf } from '../support/document-tools.js';
import { type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

const LISTED = { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01' };
const API = '/api/v1/compliance';

let deployment: SharedDeployment;
let tenant: Tenant;
let matchId: string;

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: 100 });
  await ingestAll(deployment.http, tenant, [{ ...person(88_001), ...LISTED }]);
  matchId = await eventually('the match', async () => {
    const { json } = await deployment.http.expect(200, { path: `${API}/matches`, apiKey: tenant.apiKey });
    return (json['matches'] as { match_id: string }[])[0]?.match_id;
  });
}, 90_000);

afterAll(() => deployment.leave());

const fileOf = (apiKey: string): Promise<Response> =>
  fetch(`${deployment.http.baseUrl}${API}/matches/${matchId}/file`, { headers: { 'X-API-Key': apiKey } });

(missingTools.length === 0 ? it : it.skip)(
  'a case file shows person and entry, what agrees, and how the match was judged, and is audited',
  async () => {
    const { apiKey } = tenant;
    const body = { reason: 'Another person of this name' };
    await deployment.http.expect(200, { path: `${API}/matches/${matchId}/dismiss`, apiKey, body });
    const response = await fileOf(apiKey);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const file = join(mkdtempSync(join(tmpdir(), 'case-')), 'case.pdf');
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    const text = outputOf('pdftotext', '-layout', file, '-');
    for (const part of [LISTED.full_name, 'Names', 'agrees', 'dismissed', body.reason, matchId])
      expect(text).toContain(part);
    const { json } = await deployment.http.expect(200, { path: `${API}/audit-log?action=matches_revealed`, apiKey });
    expect((json['logs'] as Json[])[0]).toMatchObject({ match_id: matchId });
  },
);

it("a case file is not there for another account's match", async () => {
  const other = await deployment.operator.tenant();
  expect((await fileOf(other.apiKey)).status).toBe(404);
});
