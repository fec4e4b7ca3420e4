import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import pg from 'pg';
import { filesUnder } from '../support/checks/dumps.js';
import { found, needlesOf } from '../support/checks/needles.js';
import { issue, issuerTokenFor, verdictOf } from '../support/credentials.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { copyOfDatabase } from '../support/faults/back-ups.js';
import { Http } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, Operator, type Tenant } from '../support/load/tenants.js';
import { ownPort } from '../support/ports.js';
import { eventually, redisInstalled } from '../support/stack.js';
import { Asker, Drill, type Instance, newTenant } from './drill.js';

// The chapters of the runbook in docs/operations.md, one after the other on one deployment.

/** The events that the wrong release projects with the wrong sign, and requests a second beside all that. */
const EVENTS = Number(process.env['INCIDENT_EVENTS'] ?? 60);
const RATE = Number(process.env['INCIDENT_RATE'] ?? 0);

/** Milliseconds for a step, and for what a step waits for. `npm run test:incident` takes two minutes on a quiet machine. */
const STEP_WITHIN = 600_000 + 20 * EVENTS;
const WAIT_BUDGET_MS = 240_000 + 10 * EVENTS;
jest.setTimeout(STEP_WITHIN);

const CREDITS = 100_000;
/** The wrong release counts so small an adjustment with the wrong sign. */
const SMALL = 10;
/** Adjustments by an operator. The others are of further accounts, of so many each. */
const ADJUSTMENTS = Math.min(EVENTS, 60);
const AN_ACCOUNT = 1_000;
/** Rows of a table that diff explains. */
const SHOWN = '5';

let drill: Drill;
let older: Instance;
let mended: Instance;
let operator: Operator;
let tenant: Tenant;

beforeAll(async () => {
  drill = await Drill.begin();
  older = await drill.start(drill.broken, await ownPort());
  operator = await Operator.admin(older.http);
  tenant = await newTenant(operator, older.http, CREDITS);
});

afterAll(() => drill.end());

/** The exit status is expected, and the output is shown where it differs. */
const run = async (status: number, ...words: string[]): Promise<string> => {
  const ran = await drill.run(...words);
  if (ran.status !== status) throw new Error(`${words.join(' ')}: status ${ran.status}\n${ran.output}`);
  return ran.output;
};

const jsonIn = (output: string): unknown => JSON.parse(output.slice(output.indexOf('{'))) as unknown;

const driftNote = async ({ http }: Instance): Promise<string | undefined> => {
  const { json } = await http.send({ path: '/health/ready', token: operator.token });
  return (json['notes'] as Record<string, string> | undefined)?.['drift'];
};

const check = ({ http }: Instance) =>
  http.expect(200, { path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry(person(1)) });

describe('a projection was buggy for a week, and a wrong balance is reported', () => {
  let asker: Asker;
  let serving: readonly Http[];
  let position: string;

  beforeAll(() => {
    serving = [older.http];
    asker = new Asker(tenant, () => serving, RATE);
  });
  afterAll(() => asker.stop());

  it('is found by the drift watch, with the position of the first wrong row', async () => {
    for (let event = 0; event < ADJUSTMENTS; event += 1) await operator.adjust(tenant.tenantId, SMALL);
    const note = await eventually('the alarm', () => driftNote(older), WAIT_BUDGET_MS);
    position = /first at position (\d+)/.exec(note)?.[1] ?? '';
    expect(position).not.toBe('');
    const { text } = await older.http.expect(200, { path: '/metrics', token: operator.token });
    expect(text).toContain('\ndrift_accounts 1\n');
    expect(text).toContain(`\ndrift_first_position ${position}\n`);
  });

  it('stays live for all the events to come, of further accounts too', async () => {
    const further = Math.ceil((EVENTS - ADJUSTMENTS) / AN_ACCOUNT);
    for (let account = 0, left = EVENTS - ADJUSTMENTS; account < further; account += 1, left -= AN_ACCOUNT) {
      const { tenantId } = await operator.tenant({ credits: CREDITS, name: 'Drill' });
      await drill.adjust(tenantId as TenantId, SMALL, Math.min(left, AN_ACCOUNT));
    }
    await eventually(
      'the first position',
      async () => (await driftNote(older))?.includes(` ${position}`),
      WAIT_BUDGET_MS,
    );
  });

  it('is kept in a snapshot without personal data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kyc-drill-'));
    const out = join(folder, 'snapshot');
    await run(0, 'incident', 'snapshot', '--out', out, '--url', `${older.service.baseUrl}/health/ready`);
    const secrets = needlesOf([...Object.values(person(1)), tenant.apiKey, 'operations@example.org']);
    const files = filesUnder(out);
    expect(files.length).toBeGreaterThan(5);
    expect(files.flatMap(({ path, bytes }) => found(secrets, bytes, path))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('is located by replay, diff and bisect: all name the event at which the alarm began', async () => {
    const replayed = await run(0, 'audit', 'replay', '--tenant', tenant.tenantId, '--format', 'json');
    expect(replayed).toMatch(new RegExp(`"CreditsAdjusted\\.v1".*"position":"?${position}\\b`));
    const { differences } = jsonIn(
      await run(1, 'projections', 'diff', 'ledger', '--at', position, '--limit', SHOWN, '--json'),
    ) as {
      differences: { table: string; key: unknown; event: object }[];
    };
    const transaction = differences.find(({ table }) => table === 'credit_transactions');
    expect(transaction?.event).toMatchObject({ position, type: 'CreditsAdjusted.v1' });
    // The row of the balance may be right again: its account carries it forward once a month.
    const key = JSON.stringify(transaction?.key);
    const bisected = await run(1, 'projections', 'bisect', 'ledger', 'credit_transactions', key);
    expect(bisected).toContain(`since position ${position}: CreditsAdjusted.v1`);
  });

  it('is mended by the rebuild of the release that counts right, beside the old one', async () => {
    const port = await ownPort();
    const joining = new Http(`http://127.0.0.1:${port}`);
    serving = [older.http, joining];
    mended = await drill.start(drill.mended, port);
    await eventually('no drift', async () => (await driftNote(mended)) === undefined, WAIT_BUDGET_MS);
    expect(jsonIn(await run(0, 'projections', 'verify', '--all', '--json'))).toMatchObject({ equal: true });
    serving = [joining];
    if ((await older.service.stop()) !== 0)
      throw new Error(`the older release ended:\n${older.service.output().slice(-4_000)}`);
  });

  it('was answered without an error all the while, and the balance is right', async () => {
    await asker.stop();
    serving.forEach((http) => http.close());
    expect(asker.faults).toEqual([]);
    expect(asker.charged).toBeGreaterThan(0);
    const { answered, seconds, longestWait } = asker;
    process.stdout.write(
      `${EVENTS} events; ${answered} requests answered, ${Math.round(answered / seconds)}/s over ${Math.round(seconds)} s; ` +
        `the longest wait for the swap ${Math.round(longestWait)} ms\n`,
    );
    const balance = CREDITS + ADJUSTMENTS * SMALL - asker.charged;
    expect(await balanceOf(mended.http, tenant)).toBe(balance);
    const { json } = await mended.http.expect(200, { path: '/billing/transactions?limit=1', apiKey: tenant.apiKey });
    expect(json['transactions']).toMatchObject([{ balance_after: balance }]);
  });
});

describe('a projection is stuck', () => {
  const status = () => run(0, 'projections', 'status');

  it('is named with its event, its position and the cause', async () => {
    const client = new pg.Client({ connectionString: drill.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ schema: string }>(
      `SELECT table_schema AS schema FROM information_schema.columns WHERE table_name = 'audit_entries' AND column_name = 'access'`,
    );
    expect(rows).toHaveLength(1);
    await client.query(`ALTER TABLE ${rows[0]?.schema}.audit_entries RENAME COLUMN access TO lost`);
    await client.end();
    const body = { ...person(2), kyc_status: 'APPROVED' };
    await mended.http.expect(202, { path: '/api/v1/ingest', apiKey: tenant.apiKey, body });
    const stuck =
      /ledger \(v\d+\) stopped .*Access\w*Recorded\.v1 at position \d+ of audit-\S+ cannot be applied \(SQLSTATE 42703\)/;
    await eventually('the stop', async () => stuck.test(await status()), WAIT_BUDGET_MS);
  });

  it('is rebuilt, goes on by itself, and has the rows that the log makes', async () => {
    await run(0, 'projections', 'rebuild', 'ledger');
    await eventually('level', async () => !(await status()).includes('stopped'), WAIT_BUDGET_MS);
    await check(mended);
    await run(0, 'projections', 'verify', 'ledger');
  });
});

(redisInstalled ? describe : describe.skip)('Redis is lost', () => {
  it('goes on without it, and what was queued is done once it is back', async () => {
    await drill.loseRedis();
    await check(mended);
    const body = { ...person(3), kyc_status: 'APPROVED' };
    const accepted = await mended.http.expect(202, { path: '/api/v1/ingest', apiKey: tenant.apiKey, body });
    await drill.bringRedisBack();
    const path = `/api/v1/ingest/${accepted.json['ingestion_id'] as string}`;
    await eventually(
      'the end of the ingestion',
      async () => (await mended.http.expect(200, { path, apiKey: tenant.apiKey })).json['status'] === 'completed',
      WAIT_BUDGET_MS,
    );
    expect(await run(0, 'reactors', 'status')).not.toMatch(/[1-9]\d* parked/);
  });
});

describe('a key is compromised', () => {
  it('an API key: every instance refuses it', async () => {
    const body = { name: 'leaked' };
    const created = await mended.http.expect(201, { path: '/api/v1/keys', apiKey: tenant.apiKey, body });
    const { id, api_key: leaked } = created.json as { id: string; api_key: string };
    await mended.http.expect(200, { path: '/billing/credits', apiKey: leaked });
    const path = `/admin/accounts/${tenant.tenantId}/keys/${id}`;
    operator = await Operator.admin(mended.http);
    await mended.http.expect(204, { method: 'DELETE', path, token: operator.token });
    await eventually('the refusal', async () => {
      const { status } = await mended.http.send({ path: '/billing/credits', apiKey: leaked });
      return status === 403;
    });
  });

  it("the issuer's key: nothing of it is accepted, and its credentials are listed and issued again", async () => {
    const issuer = { ...tenant, bearer: await issuerTokenFor(mended.http, tenant) };
    const lost = await issue(mended.http, issuer, person(1));
    const listed = await run(0, 'keys', 'rotate-issuer', '--compromised', decodeProtectedHeader(lost.token).kid ?? '');
    expect(listed).toContain(`${tenant.tenantId} ${lost.jti}`);
    expect(await verdictOf(mended.http, tenant, lost)).toBe('UNTRUSTED_KEY');
    expect(await verdictOf(mended.http, tenant, await issue(mended.http, issuer, person(1)))).toBe('valid');
  });

  it('the key file: every key is wrapped anew while the service serves', async () => {
    await run(0, 'keys', 'rotate');
    await run(0, 'keys', 'verify');
    expect(await run(0, 'keys', 'status')).toMatch(
      /version 1: 0 keys wrapped[\s\S]*version 2: [1-9]\d* keys wrapped, in use/,
    );
    await check(mended);
  });

  it('a webhook secret: the old one ends with the rotation', async () => {
    const path = '/api/v1/webhooks/endpoints';
    const body = { url: 'http://127.0.0.1:49151/webhooks', events: ['identity.expired'] };
    const { json } = await mended.http.expect(201, { path, apiKey: tenant.apiKey, body });
    const rotated = await mended.http.expect(200, {
      path: `${path}/${json['id'] as string}/rotate-secret`,
      apiKey: tenant.apiKey,
      body: { overlap_seconds: 0 },
    });
    expect(rotated.json['secret']).not.toBe(json['secret']);
  });
});

describe('Postgres is lost, and a back-up is restored', () => {
  let before: number;

  it('is brought level with the log, before the service starts', async () => {
    await mended.service.stop();
    const backUp = await copyOfDatabase(drill.databaseUrl);
    mended = await drill.startAgain(mended);
    for (let count = 0; count < 5; count += 1) await check(mended);
    before = await balanceOf(mended.http, tenant);
    await mended.service.kill9();
    drill.moveTo(backUp);
    await run(0, 'keys', 'reapply-erasures');
    await run(0, 'projections', 'rebuild', 'all');
    await run(0, 'keys', 'verify');
  });

  it('serves the right balance and rows, over a log that is what was signed', async () => {
    mended = await drill.startAgain(mended);
    expect(await balanceOf(mended.http, tenant)).toBe(before);
    await run(0, 'projections', 'verify', '--all');
    await run(0, 'audit', 'verify-log');
    await run(0, 'billing', 'reconcile');
  });
});
