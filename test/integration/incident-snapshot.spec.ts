import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { type AggregateStore } from '../../src/log/append/aggregate-store.js';
import { incidentCommand } from '../../src/cli/incident.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/postgres/database.js';
import { recordFailure } from '../../src/log/project/failures.js';
import { filesUnder } from '../support/checks/dumps.js';
import { found, needlesOf } from '../support/checks/needles.js';
import { Histories } from './projections-histories.js';
import { appendAll, database, openWorld, pools, run, session, statusOf, store, until } from './projections-world.js';

openWorld();

const SECRETS = ['jane.worthing@example.org', '+447700900123', 'Gwendolen Fairfax', 'kyc_sandbox_s3cr3t'];

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kyc-incident-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const snapshot = async (url: string, out = join(folder, 'out'), address = database) => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const pool = new Database({ connectionString: address, budgetMs: 10_000 });
  pools.push(pool);
  const environment = { POSTGRES_PASSWORD: 'x', KEYS: SECRETS[3], PORT: '3000' };
  const acts = () => Promise.reject(new Error('a snapshot is no act'));
  const aggregates = {} as AggregateStore;
  const context = { database: pool, store, projections: [ledger], environment, print, acts, aggregates };
  const words = ['snapshot', '--out', out, '--url', url];
  const code = await incidentCommand(words, { print, open: (work) => work(context) });
  return { code, output: lines.join('\n') };
};

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, 'out', `${name}.json`), 'utf8'));

/** Errors whose messages hold what must not leave the deployment. */
const failWithSecrets = async (): Promise<void> => {
  const [email = '', phone = '', name = ''] = SECRETS;
  await session.query(
    `INSERT INTO parked_events (reactor, event_id, event_type, stream, revision, position, attempts, error)
     VALUES ('claims', $1, 'ClaimRequested.v1', 'claims-t1', 1, 5, 8, $2), ('mail', $3, 'X.v1', 'x-t1', 1, 5, 8, $4)`,
    [newUuid(), `TypeError: ${name} is no function`, newUuid(), `${email} refused`],
  );
  await session.query('INSERT INTO dead_jobs (queue, job_id, payload, error) VALUES ($1, $2, $3, $4)', [
    'reports',
    newUuid(),
    JSON.stringify({ phone }),
    `Unreachable: ${phone}`,
  ]);
  const event = { position: 7n, stream: 'credits-t1', type: 'CreditsAdjusted.v1' };
  await recordFailure(session, ledger, event as Parameters<typeof recordFailure>[2], new Error(`no ${name}`));
};

it('keeps positions, lags, versions, health and errors in one folder, and no personal data', async () => {
  const history = new Histories((below) => below - 1, [newTenantId()]);
  history.credits(5);
  const head = await appendAll(history.written);
  const runner = await run([ledger]);
  await until('the rows', () => (statusOf(runner, 'ledger').position ?? 0n) >= head);
  // A projection that goes on forgets its failure.
  await runner.stop();
  await failWithSecrets();
  const server = createServer((_, response) =>
    response.writeHead(503).end(JSON.stringify({ status: 'down', parts: { postgres: 'down' } })),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { code, output } = await snapshot(`http://127.0.0.1:${(server.address() as AddressInfo).port}/health/ready`);
  await new Promise((closed) => server.close(closed));
  expect(output).toContain('no personal data');
  expect(code).toBe(0);

  expect(read('checkpoints')).toMatchObject({
    projections: [{ projection: 'ledger', slot: 'live', version: ledger.version, lag: '0' }],
  });
  expect(read('health')).toMatchObject({ status: 503, body: { status: 'down', parts: { postgres: 'down' } } });
  expect(read('errors')).toMatchObject({
    projections: [{ projection: 'ledger', stream: 'credits-t1', cause: 'Error' }],
    jobs: [{ queue: 'reports', kind: 'Unreachable' }],
  });
  const { parked } = read('errors') as { parked: { kind: string }[] };
  expect(parked.map(({ kind }) => kind).sort()).toEqual(['TypeError', 'withheld']);
  expect(read('versions')).toMatchObject({ node: process.version, projections: { ledger: ledger.version } });
  expect(read('configuration')).toEqual({ set: ['KEYS', 'PORT'] });
  const files = filesUnder(join(folder, 'out'));
  const needles = needlesOf(SECRETS);
  expect(files.flatMap(({ path, bytes }) => found(needles, bytes, path))).toEqual([]);
  expect(files.map(({ path }) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o600));
});

it('records what it can reach where Postgres is lost and the service is silent', async () => {
  const away = database.replace(/:(\d+)\//, ':9/');
  const { code, output } = await snapshot('http://127.0.0.1:9/health/ready', join(folder, 'out'), away);
  expect(code).toBe(1);
  expect(output).toContain('not read: checkpoints');
  expect(read('checkpoints')).toEqual({ not_read: expect.stringMatching(/Error|Unavailable/) as string });
  expect(read('health')).toMatchObject({ problem: 'ECONNREFUSED' });
  expect(readdirSync(join(folder, 'out'))).toContain('configuration.json');
});

it('overwrites nothing', async () => {
  await expect(snapshot('http://127.0.0.1:9/', folder)).rejects.toThrow('exists already: name a new folder with --out');
});
