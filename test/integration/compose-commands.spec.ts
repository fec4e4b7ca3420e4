import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { PostgresCluster } from '@kyc/embedded-runtime/postgres/cluster';
import { bareEnvironment, built, projectRoot } from '../support/built.js';
import { composeFile, interpolated } from '../support/compose.js';
import { newKeys } from '../support/load/deployment.js';
import { ownPort } from '../support/ports.js';
import { READY_WITHIN } from '../support/processes.js';
import {
  createServiceDatabase,
  eventually,
  redisInstalled,
  startEventStore,
  startRedis,
  TestProcess,
} from '../support/stack.js';

const { services } = composeFile('docker-compose.yml');
const folder = mkdtempSync(join(tmpdir(), 'composed-'));
const running: TestProcess[] = [];
const closing: (() => Promise<void>)[] = [];

const start = (command: readonly string[], env: Readonly<Record<string, string>>): TestProcess => {
  const [program = '', ...words] = command;
  const started = new TestProcess(program, words, { ...bareEnvironment(), ...env });
  running.push(started);
  return started;
};

afterAll(async () => {
  await Promise.all(running.map((each) => each.stop()));
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
});

/** A test that needs a program; where it is not at hand, it is skipped aloud. */
const withProgram = (program: string, found: boolean): typeof it | typeof it.skip => {
  if (found) return it;
  process.stderr.write(`compose commands: SKIPPED, since there is no ${program}\n`);
  return it.skip;
};
const answers = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** What the operator fills in. Nothing of it is called by a start. */
const FILLED_IN: Readonly<Record<string, string>> = {
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_JWKS_URL: 'http://127.0.0.1:9/keys',
  OIDC_AUDIENCE: 'kyc',
  EVENTSTORE_PASSWORD: 'secret',
  POSTGRES_PASSWORD: 'secret',
  STRIPE_SECRET_KEY: 'sk_live_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  PUBLIC_URL: 'https://kyc.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'kyc@example.org',
};

describe('our own services, with what the compose file gives them', () => {
  const roles = Object.entries(services).filter(
    ([, { build, profiles }]) => build !== undefined && profiles === undefined,
  );
  let elsewhere: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const [eventStore, redis] = await Promise.all([startEventStore(), startRedis()]);
    closing.push(
      () => eventStore.stop(),
      async () => redis?.stop(),
    );
    const keyFile = join(folder, 'keys.json');
    writeFileSync(keyFile, newKeys(), { mode: 0o600 });
    // Where the stores are, and nothing else: on this machine instead of in containers of their own.
    elsewhere = {
      EVENTSTORE_URL: eventStore.connectionString,
      DATABASE_URL: await createServiceDatabase(),
      REDIS_URL: redis?.url ?? '',
      ALLOW_EMBEDDED: `${redis === undefined}`,
      KEY_FILE: keyFile,
      SCREENING_DOWNLOADS: 'never',
      HOST: '127.0.0.1',
    };
  }, 2 * READY_WITHIN);

  const environmentOf = (name: string): Record<string, string> => {
    const composed = Object.entries(services[name]?.environment ?? {}).map(
      ([variable, value]) => [variable, interpolated(value, (variableName) => FILLED_IN[variableName])] as const,
    );
    return { ...Object.fromEntries(composed), ...elsewhere };
  };

  it(
    'become ready in their roles, and the keys command answers beside them',
    async () => {
      const instances = await Promise.all(
        roles.map(async ([name]) => {
          const ports = { PORT: `${await ownPort()}`, MANAGEMENT_PORT: `${await ownPort()}` };
          const env = { ...environmentOf(name), ...ports, DATA_DIR: join(folder, name) };
          return { name, env, service: start([process.execPath, built('src/main.js')], env) };
        }),
      );
      for (const { name, env, service } of instances) {
        const url = `http://127.0.0.1:${env.MANAGEMENT_PORT}/health/ready`;
        const isReady = async (): Promise<boolean> => (await fetch(url)).status === 200;
        await eventually(`${name} is ready`, async () => !service.running || isReady(), READY_WITHIN);
        expect([name, service.running, service.output]).toEqual([name, true, expect.anything()]);
        expect(await start([process.execPath, built('src/health-check.js')], env).ended()).toBe(0);
      }
      const { entrypoint = [], command = [] } = services['keys'] ?? {};
      const [node, program = '', ...words] = [...entrypoint, ...command];
      expect(node).toBe('node');
      const keys = start([process.execPath, built(program.replace(/^dist\//, '')), ...words], {
        ...environmentOf('keys'),
        DATA_DIR: join(folder, 'keys'),
      });
      expect([await keys.ended(), keys.output]).toEqual([0, expect.stringContaining('version 1:') as string]);
      expect(instances.map(({ name }) => name).sort()).toEqual(['api', 'jobs', 'projections']);
    },
    2 * READY_WITHIN,
  );
});

it('starts Postgres with the options of the compose file, in a cluster made as it says', async () => {
  const { command = [], environment = {} } = services['postgres'] ?? {};
  const cluster = await PostgresCluster.prepare({
    directory: join(folder, 'postgres'),
    password: 'secret',
    port: await ownPort(),
  });
  const launch = await cluster.command();
  const [program, ...options] = command;
  expect([program, options.length > 0]).toEqual(['postgres', true]);
  const [own = '', ...words] = launch.command;
  running.push(
    new TestProcess(own, [...words, ...options], { ...bareEnvironment(), ...launch.environment }, launch.account),
  );
  const client = await eventually('Postgres', async () => {
    const connecting = new pg.Client({ connectionString: cluster.url('postgres') });
    await connecting.connect();
    return connecting;
  });
  try {
    const shown = async (name: string): Promise<unknown> => (await client.query(`SHOW ${name}`)).rows[0];
    expect(await shown('wal_recycle')).toEqual({ wal_recycle: 'off' });
    // What initdb is told: the same as the embedded cluster is made with.
    expect(environment['POSTGRES_INITDB_ARGS']).toBe('--data-checksums --locale=C --encoding=UTF8');
    expect(await shown('data_checksums')).toEqual({ data_checksums: 'on' });
    expect(await shown('server_encoding')).toEqual({ server_encoding: 'UTF8' });
    const { rows } = await client.query('SELECT DISTINCT datcollate FROM pg_database');
    expect(rows).toEqual([{ datcollate: 'C' }]);
  } finally {
    await client.end();
  }
});

withProgram('redis-server', redisInstalled)(
  'starts Redis, which writes nothing down and refuses to forget',
  async () => {
    const port = await ownPort();
    const command = services['redis']?.command ?? [];
    start([...command, '--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder], {});
    const redis = new Redis(port, '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: (times) => Math.min(times * 50, 500),
    });
    try {
      await eventually('Redis', async () => (await redis.ping()) === 'PONG');
      const setting = async (name: string): Promise<unknown> => ((await redis.config('GET', name)) as string[])[1];
      expect(await setting('save')).toBe('');
      expect(await setting('appendonly')).toBe('no');
      expect(await setting('maxmemory')).toBe(`${256 * 1_024 * 1_024}`);
      expect(await setting('maxmemory-policy')).toBe('noeviction');
    } finally {
      redis.disconnect();
    }
  },
);

withProgram('promtool', answers('promtool'))('gives Prometheus a configuration and rules that it takes', () => {
  const mounted = (services['prometheus']?.volumes ?? []).filter((volume) => typeof volume === 'string');
  const sources = new Map(mounted.map((volume) => volume.split(':').slice(0, 2).reverse() as [string, string]));
  const at = (target: string): string => join(folder, target.split('/').at(-1) ?? '');
  for (const target of ['/etc/prometheus/prometheus.yml', '/etc/prometheus/rules.yml'])
    copyFileSync(join(projectRoot, sources.get(target) ?? ''), at(target));
  const configuration = at('/etc/prometheus/prometheus.yml');
  writeFileSync(configuration, readFileSync(configuration, 'utf8').replaceAll('/etc/prometheus/', `${folder}/`));
  const promtoolOutput = execFileSync('promtool', ['check', 'config', configuration], { encoding: 'utf8' });
  expect(promtoolOutput).toMatch(/SUCCESS: \d+ rules? found/);
});

it('leaves out no service but those whose programs no package brings', () => {
  const tried = new Set(['api', 'projections', 'jobs', 'keys', 'postgres', 'redis', 'prometheus']);
  const left = Object.keys(services).filter((name) => !tried.has(name));
  process.stderr.write(`compose commands: SKIPPED, since their programs are not at hand: ${left.join(', ')}\n`);
  // The configuration of the proxy is tried in drain.spec.ts, the script of the back-up in backup.spec.ts.
  expect(left).toEqual(['proxy', 'eventstore', 'backup', 'restore', 'grafana']);
});
