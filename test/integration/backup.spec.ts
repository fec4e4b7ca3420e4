import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/built.js';
import { ownPort } from '../support/ports.js';
import { eventually } from '../support/stack.js';

/** Debian's: the embedded Postgres has no pg_dump. */
const BIN = ['/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/17/bin'].find((folder) =>
  existsSync(join(folder, 'initdb')),
);
if (BIN === undefined)
  console.log('back-ups: SKIPPED, since no Postgres of Debian is installed (apt-get install postgresql)');

const SCRIPTS = join(projectRoot, 'deploy', 'backup');
const LOG = {
  'index/a.ptable': 'index',
  'index/indexmap': 'map',
  'index/stream-existence/filter.chk': 'filter checkpoint',
  'chaser.chk': 'chaser',
  'writer.chk': 'writer',
  'chunk-000000.000000': 'events',
};

let folder: string;
let url: string;
let server: ReturnType<typeof spawn> | undefined;

const asPostgres = (words: readonly string[]): [string, string[]] =>
  process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', ...words]] : [words[0] ?? '', words.slice(1)];

const sql = (text: string, database = 'kyc'): string => {
  const words = ['--no-psqlrc', '--tuples-only', '--no-align', '--command', text, url.replace(/kyc$/, database)];
  return spawnSync('psql', words, { encoding: 'utf8' }).stdout.trim();
};

const run = (script: string, words: readonly string[], env: Record<string, string>) =>
  spawnSync('sh', [join(SCRIPTS, script), ...words], {
    encoding: 'utf8',
    env: { PATH: `${BIN ?? ''}:${process.env['PATH'] ?? ''}`, BACKUP_FOLDER: join(folder, 'backups'), ...env },
  });

(BIN === undefined ? describe.skip : describe)('a back-up', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kyc-backup-'));
    chmodSync(folder, 0o777);
    const data = join(folder, 'data');
    const port = await ownPort();
    const initdb = asPostgres([join(BIN ?? '', 'initdb'), '-D', data, '-A', 'trust', '-U', 'kyc', '--no-sync']);
    expect(spawnSync(...initdb).status).toBe(0);
    const listening = ['-D', data, '-p', String(port), '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off'];
    server = spawn(...asPostgres([join(BIN ?? '', 'postgres'), ...listening]), { stdio: 'ignore' });
    url = `postgresql://kyc@127.0.0.1:${port}/kyc`;
    await eventually('Postgres', () => sql('SELECT 1', 'postgres') === '1');
    sql('CREATE DATABASE kyc', 'postgres');
    sql('CREATE DATABASE other', 'postgres');
    for (const [name, text] of Object.entries(LOG)) {
      mkdirSync(join(folder, 'log', dirname(name)), { recursive: true });
      writeFileSync(join(folder, 'log', name), text);
    }
    sql('CREATE TABLE backups (name text PRIMARY KEY, taken_at timestamptz NOT NULL, gone_at timestamptz)');
    sql('CREATE TABLE data_keys (id int); INSERT INTO data_keys SELECT generate_series(1, 100)');
  }, 60_000);

  afterAll(async () => {
    if (server !== undefined) {
      const ended = once(server, 'exit');
      spawnSync(...asPostgres([join(BIN ?? '', 'pg_ctl'), 'stop', '-D', join(folder, 'data'), '-m', 'fast']));
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('is put back as it was, into what is empty and nowhere else', () => {
    const made = run('backup.sh', [], { EVENTSTORE_FOLDER: join(folder, 'log'), DATABASE_URL: url });
    expect([made.status, made.stdout]).toEqual([0, expect.stringContaining('KEY_FILE')]);
    const [name = ''] = readdirSync(join(folder, 'backups'));
    const from = join(folder, 'backups', name);
    const into = join(folder, 'restored');
    mkdirSync(into);
    const other = url.replace(/kyc$/, 'other');
    const full = run('restore.sh', [from], { EVENTSTORE_FOLDER: join(folder, 'log'), DATABASE_URL: other });
    expect([full.status, full.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
    const used = run('restore.sh', [from], { EVENTSTORE_FOLDER: into, DATABASE_URL: url });
    expect([used.status, used.stderr]).toEqual([1, expect.stringContaining('has tables')]);
    const restored = run('restore.sh', [from], { EVENTSTORE_FOLDER: into, DATABASE_URL: other });
    expect([restored.status, restored.stderr, restored.stdout]).toEqual([
      0,
      '',
      expect.stringContaining('reapply-erasures'),
    ]);
    for (const [file, text] of Object.entries({ ...LOG, 'truncate.chk': 'chaser' }))
      expect([file, readFileSync(join(into, file), 'utf8')]).toEqual([file, text]);
    expect(sql('SELECT count(*) FROM data_keys', 'other')).toBe('100');
    expect([sql('SELECT name FROM backups'), sql('SELECT name FROM backups', 'other')]).toEqual([name, name]);
    expect(readFileSync(join(from, 'MANIFEST'), 'utf8')).toMatch(/must be gone by: \d{4}-/);
  });

  it('of a KurrentDB with secondary indexes is refused, and has none of them where they are off', () => {
    const log = join(folder, 'kurrentdb');
    const before = readdirSync(join(folder, 'backups'));
    mkdirSync(log);
    for (const name of ['kurrent.ddb', 'kurrent.ddb.wal', 'writer.chk']) writeFileSync(join(log, name), name);
    const given = { EVENTSTORE_FOLDER: log, DATABASE_URL: url };
    const refused = run('backup.sh', [], given);
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('snapshot of the')]);
    expect(readdirSync(join(folder, 'backups'))).toEqual(before);
    const BACKUP_FOLDER = join(folder, 'others');
    const made = run('backup.sh', [], { ...given, BACKUP_FOLDER, SECONDARY_INDEXES: 'off' });
    expect([made.status, made.stderr]).toEqual([0, '']);
    const [name = ''] = readdirSync(BACKUP_FOLDER);
    expect(readdirSync(join(BACKUP_FOLDER, name, 'eventstore'))).toEqual(['writer.chk']);
  });

  it('leaves nothing that looks like one where Postgres does not answer', () => {
    const before = readdirSync(join(folder, 'backups'));
    const failed = run('backup.sh', [], {
      EVENTSTORE_FOLDER: join(folder, 'log'),
      DATABASE_URL: 'postgresql://127.0.0.1:1/kyc',
    });
    expect(failed.status).not.toBe(0);
    expect(readdirSync(join(folder, 'backups'))).toEqual(before);
  });

  it('leaves nothing where a part of the log cannot be copied', () => {
    const before = readdirSync(join(folder, 'backups'));
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'cp'), '#!/bin/sh\ncase "$*" in *chunk-*) exit 1;; esac\nexec /bin/cp "$@"\n', {
      mode: 0o755,
    });
    const PATH = `${tools}:${BIN ?? ''}:${process.env['PATH'] ?? ''}`;
    const failed = run('backup.sh', [], { EVENTSTORE_FOLDER: join(folder, 'log'), DATABASE_URL: url, PATH });
    expect(failed.status).not.toBe(0);
    expect(readdirSync(join(folder, 'backups'))).toEqual(before);
    expect(sql('SELECT count(*) FROM backups WHERE gone_at IS NOT NULL')).toBe('1');
  });

  it('is noted as gone once its days are over', () => {
    const [name = ''] = readdirSync(join(folder, 'backups'));
    utimesSync(join(folder, 'backups', name), new Date(0), new Date(0));
    expect(run('backup.sh', [], { EVENTSTORE_FOLDER: join(folder, 'log'), DATABASE_URL: url }).status).toBe(0);
    expect(readdirSync(join(folder, 'backups'))).not.toContain(name);
    expect(sql(`SELECT gone_at IS NOT NULL FROM backups WHERE name = '${name}'`)).toBe('t');
  });

  it('is not kept longer than an erasure promises', () => {
    const { status, stderr } = run('backup.sh', [], { EVENTSTORE_FOLDER: folder, DATABASE_URL: url, KEPT_DAYS: '90' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('at most 89')]);
  });
});
