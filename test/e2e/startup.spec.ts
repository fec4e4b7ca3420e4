import { exec } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../src/platform/embedded/ports.js';
import { bareEnvironment } from '../support/built.js';
import { READY_WITHIN } from '../support/service.js';
import {
  eventually,
  newDataDir,
  type Service,
  sleep,
  spawnService,
  startService,
  TestProcess,
} from '../support/stack.js';

/** The processes that carry this data folder in their environment, with their command lines; Linux only. */
const processesOf = (dataDir: string): { pid: number; command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(`DATA_DIR=${dataDir}`)) return [];
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') }];
      } catch {
        return [];
      }
    });

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

const nodeOf = (dataDir: string): number | undefined =>
  processesOf(dataDir).find(({ command }) => command.includes('event-store/main.js'))?.pid;

const balanceOf = async (service: Service): Promise<number> => {
  const headers = { 'X-API-Key': service.demo().api_key };
  const answer = await fetch(`${service.baseUrl}/billing/credits`, { headers, signal: AbortSignal.timeout(5_000) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { credits: number }).credits;
};

const failsToStart = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const service = spawnService(env);
  const overdue = setTimeout(() => service.signal('SIGKILL'), 30_000);
  expect(await service.ended()).toBe(1);
  clearTimeout(overdue);
  expect(service.output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return service.output;
};

describe('a service that nothing was configured for', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    await eventually('the demo account', () => service.demo());
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    service.remove();
  }, 60_000);

  it('tells how to call it and keeps the demo account for its owner only', async () => {
    await eventually('the banner', () => service.output().includes('A first call:'));
    expect(service.output()).toContain(service.demo().api_key);
    expect(service.demo().base_url).toBe(service.baseUrl);
    expect(statSync(join(service.dataDir, 'demo-account.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(service.dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    expect(await balanceOf(service)).toBe(1_000);
  });

  it('refuses a second one in the same data folder, naming the first', async () => {
    const output = await failsToStart({ DATA_DIR: service.dataDir, PORT: '0' });
    expect(output).toContain(`is in use by another process (pid ${service.pid})`);
  }, 60_000);

  it('runs again by itself after the event-store node was killed', async () => {
    const killed = nodeOf(service.dataDir);
    if (killed !== undefined) process.kill(killed, 'SIGKILL');
    await eventually('another node', () => ![undefined, killed].includes(nodeOf(service.dataDir)), 30_000);
    await eventually('a balance', async () => (await balanceOf(service)) === 1_000, 30_000);
  }, 90_000);

  it('runs again by itself after Postgres was killed', async () => {
    const killed = postmasterOf(service.dataDir);
    process.kill(killed, 'SIGKILL');
    await eventually('another Postgres', () => postmasterOf(service.dataDir) !== killed, 30_000);
    await eventually('a balance', async () => (await balanceOf(service)) === 1_000, 30_000);
  }, 90_000);

  it('after kill -9 leaves nothing running for more than five seconds, and starts over the same data', async () => {
    const key = service.demo().api_key;
    await service.kill9();
    await eventually('the end of its children', () => processesOf(service.dataDir).length === 0, 6_000);
    service = await service.restart();
    await eventually('a balance', async () => (await balanceOf(service)) === 1_000, 30_000);
    expect(service.demo().api_key).toBe(key);
  }, 120_000);

  it('starts at once after kill -9, beside children that are still stopping or stopped', async () => {
    const node = nodeOf(service.dataDir);
    const postmaster = postmasterOf(service.dataDir);
    process.kill(postmaster, 'SIGSTOP');
    if (node !== undefined) process.kill(node, 'SIGSTOP');
    await service.kill9();
    service = await service.restart();
    await eventually('a balance', async () => (await balanceOf(service)) === 1_000, 30_000);
    await eventually('the end of the stopped node', () => node !== nodeOf(service.dataDir), 6_000);
    expect(postmasterOf(service.dataDir)).not.toBe(postmaster);
  }, 120_000);

  it('starts where the lock of Postgres names another program', async () => {
    await service.stop();
    writeFileSync(join(service.dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n`);
    service = await service.restart();
    await eventually('a balance', async () => (await balanceOf(service)) === 1_000, 30_000);
  }, 120_000);

  it('stops all that it started on one signal that arrives twice, with status 0', async () => {
    service.signal('SIGINT');
    await sleep(50);
    service.signal('SIGINT');
    expect(await service.ended()).toBe(0);
    await eventually('the end of its children', () => processesOf(service.dataDir).length === 0, 1_000);
    service = await service.restart();
  }, 120_000);
});

describe('a program that npm runs', () => {
  it.each([
    ['start', 'A first call:'],
    ['run eventstore', '"ready":true'],
  ])(
    'npm %s ends with all that it started when npm alone is told to',
    async (script, ready) => {
      const dataDir = newDataDir();
      const env = { ...bareEnvironment(), DATA_DIR: dataDir, PORT: String(await freePort()), EVENTSTORE_PORT: '0' };
      const npm = new TestProcess('npm', script.split(' '), env);
      await eventually(script, () => npm.output.includes(ready), READY_WITHIN);
      expect(processesOf(dataDir).length).toBeGreaterThan(2);
      await npm.stop();
      await eventually('the end of all', () => processesOf(dataDir).length === 0, 10_000);
      rmSync(dataDir, { recursive: true });
    },
    120_000,
  );
});

describe('a service that listens on every address and is known by a name', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      env: { HOST: '0.0.0.0', ALLOW_EMBEDDED: 'true', PUBLIC_URL: 'https://kyc.example.org' },
    });
    await eventually('the demo account', () => service.demo());
  }, 90_000);
  afterAll(() => service.remove());

  it('writes a command that gets an operator a token', async () => {
    const { base_url: baseUrl, operator_token_command: command, token_url: tokenUrl } = service.demo();
    expect(baseUrl).toBe('https://kyc.example.org');
    expect(tokenUrl).toBe(`http://127.0.0.1:${service.port}/dev/token`);
    const { stdout } = await promisify(exec)(command);
    const headers = { Authorization: `Bearer ${stdout.trim()}` };
    expect((await fetch(`${service.baseUrl}/admin/accounts`, { headers })).status).toBe(200);
  });

  it('ends soon on a signal, with status 0, whatever connection is silent', async () => {
    const silent = connect(service.port, '127.0.0.1').on('error', () => undefined);
    const half = connect(service.port, '127.0.0.1', () => half.write('GET / HTTP/1.1\r\nHo')).on(
      'error',
      () => undefined,
    );
    await sleep(200);
    const began = performance.now();
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(service.output()).not.toContain('cut off');
    for (const socket of [silent, half]) socket.destroy();
  }, 60_000);
});

describe('a start that cannot succeed', () => {
  it('says that the port is taken, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await eventually('the other program', () => other.listening);
    const { port } = other.address() as { port: number };
    const output = await failsToStart({ DATA_DIR: newDataDir(), PORT: String(port) });
    expect(output).toContain(`Port ${port} of 127.0.0.1 is taken by another program`);
    expect(output).toContain(`PORT=${port + 1} npm start`);
    other.close();
  }, 60_000);

  it('says that the data folder is not writable, and what to do', async () => {
    const folder = newDataDir();
    writeFileSync(join(folder, 'file'), '');
    const output = await failsToStart({ DATA_DIR: join(folder, 'file', 'data'), PORT: '0' });
    expect(output).toContain(`The data folder ${join(folder, 'file', 'data')} is not writable`);
    rmSync(folder, { recursive: true });
  }, 60_000);

  it('names every wrong variable', async () => {
    const output = await failsToStart({ PORT: 'x', LOG_LEVEL: 'loud', TLS_CERT_FILE: '/nowhere' });
    for (const name of ['PORT', 'LOG_LEVEL', 'TLS_CERT_FILE', 'TLS_KEY_FILE']) expect(output).toContain(`\n  ${name} `);
  }, 60_000);

  it('lists malformed keys beside the other faults', async () => {
    const output = await failsToStart({ PORT: 'x', KEYS: '{"index_root":"c2VjcmV0"}' });
    for (const name of ['PORT', 'KEYS']) expect(output).toContain(`\n  ${name} `);
    expect(output).not.toContain('c2VjcmV0');
  }, 60_000);

  it.each([
    ['DATABASE_URL', (port: number) => `postgresql://kyc:hunter2@127.0.0.1:${port}/kyc`],
    ['EVENTSTORE_URL', (port: number) => `esdb://admin:hunter2@127.0.0.1:${port}?tls=false`],
  ])(
    'says that it waits for %s, then what to do, in a few lines',
    async (variable, url) => {
      const port = await freePort();
      const dataDir = newDataDir();
      const output = await failsToStart({ [variable]: url(port), DATA_DIR: dataDir, PORT: '0' });
      expect(output).toContain(`${variable}: waiting for 127.0.0.1:${port}`);
      expect(output).toContain(`correct ${variable}; then start again`);
      expect(output).not.toMatch(/hunter2|postgres is unavailable/);
      expect(output.trim().split('\n').length).toBeLessThan(6);
      rmSync(dataDir, { recursive: true });
    },
    60_000,
  );

  it('does not take a half-made database for a whole one', async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true });
    const service = await startService({ dataDir });
    expect(readlinkSync(`/proc/${postmasterOf(dataDir)}/cwd`)).toBe(join(dataDir, 'postgres'));
    expect(await service.stop()).toBe(0);
    service.remove();
  }, 120_000);
});
