import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabase } from '../support/postgres.js';
import { runCommand } from '../support/service-command.js';

const COMMANDS = [
  'accounts list',
  'audit replay',
  'audit verify-log',
  'billing reconcile --since 2026-01-01',
  'export account --tenant t0000000000000000000000dem0 --out account.zip --reveal',
  'incident snapshot --out incident',
  'keys verify',
  'projections status',
  'projections verify --all',
  'reactors status',
  'screening status',
];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kyc-nothing-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('where no service was ever started', () => {
  it.each(COMMANDS)('%s ends with 2, names DATA_DIR and creates nothing', async (words) => {
    const dataDir = join(folder, 'absent');
    const { status, output } = await runCommand(words.split(' '), { DATA_DIR: dataDir });
    expect([status, output]).toEqual([2, expect.stringMatching(/holds no deployment.*DATA_DIR.*npm start/s)]);
    expect(existsSync(dataDir)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a command leaves an empty database as it is', async () => {
    const databaseUrl = await createDatabase();
    // No command asks the event store before it knows that the database is of a deployment.
    const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
    const { status, output } = await runCommand(['keys', 'verify'], env);
    expect([status, output]).toEqual([2, expect.stringContaining('The database holds no deployment')]);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    await client.end();
    expect(rows).toEqual([]);
  }, 60_000);
});
