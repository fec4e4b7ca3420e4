import pg from 'pg';
import { type Json } from '../support/load/http.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { tokenFor } from '../support/load/tenants.js';

const EVENT = '2299d17d-c755-4826-bc04-922d64cfcff8';
const SECRET = 'maria@example.org';

let deployment: SharedDeployment;
let security: string;
let tenantId: string;

const inPostgres = async (text: string, values: readonly unknown[]): Promise<readonly object[]> => {
  const client = new pg.Client({ connectionString: deployment.databaseUrl });
  await client.connect();
  try {
    return (await client.query<object>(text, [...values])).rows;
  } finally {
    await client.end();
  }
};

const get = async (path: string): Promise<Json> => (await deployment.http.expect(200, { path, token: security })).json;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  security = await tokenFor(deployment.http, { roles: ['security'] });
  ({ tenantId } = await deployment.operator.tenant({ credits: 10 }));
  await inPostgres(
    `INSERT INTO parked_events (reactor, event_id, event_type, stream, revision, position, attempts, error)
     VALUES ('nobody', $1, 'Something.v1', 'something-x', 3, 7, 8, $2)`,
    [EVENT, `TypeError: ${SECRET} has no name`],
  );
  await inPostgres(
    `INSERT INTO drift_checks
       (tenant_id, checked_at, turn_at, position, sound_position, differing, first_position, findings)
     VALUES ($1, now(), now(), 90, 60, 1, 61, '[{"table":"balances","column":"balance","expected":10,"actual":17}]')
     ON CONFLICT (tenant_id) DO UPDATE SET differing = 1, first_position = 61, position = 90, sound_position = 60,
       findings = excluded.findings`,
    [tenantId],
  );
}, 90_000);

afterAll(() => deployment.leave());

it('lists accounts that drift, with the first wrong rows', async () => {
  const { differing } = await get('/admin/drift');
  expect(differing).toMatchObject([
    { tenant_id: tenantId, first_position: '61', differing_rows: 1, findings: [{ expected: 10, actual: 17 }] },
  ]);
});

it('lists parked events by the kind of their error, never by its message, and has one tried again', async () => {
  const listed = await get('/admin/parked-events');
  expect(listed['parked_events']).toMatchObject([{ event_id: EVENT, kind: 'TypeError', retry_requested: false }]);
  expect(JSON.stringify(listed)).not.toContain(SECRET);
  const retry = { method: 'POST', path: `/admin/parked-events/${EVENT}/retry` } as const;
  expect((await deployment.http.send({ ...retry, token: security })).status).toBe(403);
  const asked = await deployment.http.expect(202, { ...retry, token: deployment.operator.token });
  expect(asked.json).toEqual({ retries: 1 });
  expect(await inPostgres('SELECT retry_requested FROM parked_events', [])).toEqual([{ retry_requested: true }]);
  const path = '/admin/audit-log?limit=1&action=POST%20/admin/parked-events/%7Bevent_id%7D/retry&outcome=done';
  expect((await get(path))['logs']).toMatchObject([{ target: { event_id: EVENT } }]);
});

it('takes an incident at once, without a message that could name somebody', async () => {
  const incident = await get('/admin/incident');
  expect(incident['not_read']).toEqual([]);
  expect(Object.keys(incident['sections'] as object)).toEqual(
    expect.arrayContaining(['checkpoints', 'verifications', 'drift', 'versions', 'errors', 'instances', 'load']),
  );
  expect(JSON.stringify(incident)).not.toContain(SECRET);
});
