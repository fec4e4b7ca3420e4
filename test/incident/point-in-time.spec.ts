import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { PostgresServer } from '../support/faults/postgres-server.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { runCommand } from '../support/service-command.js';
import { eventually } from '../support/stack.js';

const BEFORE = [person(86_000), person(86_001)];
const AFTER = Array.from({ length: 81 }, (_, index) => person(86_002 + index));

let postgres: PostgresServer;
let deployment: Deployment;
let tenant: Tenant;

const query = async (text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: postgres.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

const archive = (): string => join(dirname(postgres.dataFolder), 'archive');
const base = (): string => join(dirname(postgres.dataFolder), 'base');
const copy = (from: string, to: string): unknown => execFileSync('cp', ['-a', from, to]);

const restart = async (): Promise<void> => {
  await postgres.kill9('all');
  await postgres.startAgain();
};

/** In a folder of the server, which runs as another user where the tests run as root. */
const write = (folder: string, name: string, content: string): void => {
  const { uid, gid } = statSync(folder);
  writeFileSync(join(folder, name), content);
  chownSync(join(folder, name), uid, gid);
};

/** As `pg_basebackup` does, which is not among the programs of the embedded Postgres. */
const backUp = async (): Promise<void> => {
  const client = new Client({ connectionString: postgres.databaseUrl });
  await client.connect();
  await client.query("SELECT pg_backup_start('base', fast => true)");
  copy(postgres.dataFolder, base());
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  await client.end();
  write(base(), 'backup_label', rows[0]?.labelfile ?? '');
  rmSync(join(base(), 'postmaster.pid'));
};

const archiveAll = async (): Promise<void> => {
  const [row] = await query('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await eventually('the last WAL in the archive', () => existsSync(join(archive(), String(row?.['file']))));
};

const isReadable = async (one: Person): Promise<boolean> => {
  const { http } = deployment;
  const path = `/api/v1/identities?${new URLSearchParams(enquiry(one)).toString()}`;
  const { json } = await http.expect(200, { path, apiKey: tenant.apiKey });
  const [{ identity_id: id } = { identity_id: '' }] = json['identities'] as { identity_id: string }[];
  const read = await http.send({ path: `/api/v1/identity/${id}`, apiKey: tenant.apiKey });
  return read.status === 200 && read.json['email'] === one.email;
};

beforeAll(async () => {
  postgres = await PostgresServer.start();
  mkdirSync(archive());
  chmodSync(archive(), 0o777);
  await query("ALTER SYSTEM SET archive_mode = 'on'");
  await query(`ALTER SYSTEM SET archive_command = 'test ! -f ${archive()}/%f && cp %p ${archive()}/%f'`);
  await query(`ALTER SYSTEM SET restore_command = 'cp ${archive()}/%f %p'`);
  await restart();
  deployment = await Deployment.start({ databaseUrl: postgres.databaseUrl, env: LONG_STORE_BUDGET_MS });
  tenant = await deployment.operator.tenant({ credits: 1_000 });
}, 120_000);

afterAll(async () => {
  await deployment.stop();
  await postgres.stop();
});

it('Postgres is lost and recovered to its last moment: every data key is there, and everybody can be read', async () => {
  await ingestAll(deployment.http, tenant, BEFORE);
  await backUp();
  await ingestAll(deployment.http, tenant, AFTER);
  await archiveAll();
  await deployment.instance(0).service.stop();
  await postgres.kill9('all');
  rmSync(postgres.dataFolder, { recursive: true });
  copy(base(), postgres.dataFolder);
  write(postgres.dataFolder, 'recovery.signal', '');
  await postgres.startAgain();
  await eventually(
    'the end of the recovery',
    async () => (await query('SELECT pg_is_in_recovery() AS on'))[0]?.['on'] === false,
  );
  await runCommand(['keys', 'reapply-erasures', '--operator', 'drill'], deployment.env);
  const { status, stdout } = await runCommand(['keys', 'verify'], deployment.env);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^(\d+) of \1 keys open$/m)]);
  await deployment.restart(0);
  for (const one of [...BEFORE, ...AFTER]) expect([one.email, await isReadable(one)]).toEqual([one.email, true]);
}, 180_000);
