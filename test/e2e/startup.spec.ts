import { exec } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createProxy, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment, built } from '../support/built.js';
import { postmasterOf as serverOver, processesOf } from '../support/faults/process-tree.js';
import { freshAddress, Http } from '../support/load/http.js';
import { ownPort } from '../support/ports.js';
import { READY_WITHIN } from '../support/processes.js';
import { demoCredits, runningService } from '../support/running-service.js';
import { eventually, newDataDir, spawnService, TestProcess } from '../support/stack.js';

const postmasterOf = (dataDir: string): number => serverOver(join(dataDir, 'postgres'));

const nodeOf = (dataDir: string): number | undefined =>
  processesOf(dataDir).find(({ command }) => command.includes('event-store-node/dist/main.js'))?.pid;

const askForToken = async (
  baseUrl: string,
  secret: string | undefined,
): Promise<{ status: number; code?: unknown }> => {
  const answer = await fetch(`${baseUrl}/dev/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(secret === undefined ? {} : { 'X-Dev-Secret': secret }) },
    body: JSON.stringify({ roles: ['admin'] }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: answer.status, code: ((await answer.json()) as { error_code?: unknown }).error_code };
};

/** As nginx does with `proxy_pass http://127.0.0.1:PORT` alone: Host is the service's, and nothing tells of whoever called. */
const startPlainProxy = async (port: number): Promise<{ url: string; close(): Promise<unknown> }> => {
  const proxy = createProxy((incoming, outgoing) => {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}`, connection: 'close' };
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: own } = proxy.address() as { port: number };
  return { url: `http://127.0.0.1:${own}`, close: () => once(proxy.close(), 'close') };
};

const failsToStart = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const service = spawnService(env);
  const overdue = setTimeout(() => service.signal('SIGKILL'), READY_WITHIN);
  expect(await service.ended()).toBe(1);
  clearTimeout(overdue);
  expect(service.output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return service.output;
};

/** Starts beside a store that does not answer: each waits 15 s for it. They begin before the other tests, to end meanwhile. */
let waitingStarts: Promise<readonly { variable: string; port: number; output: string }[]>;

const waitForStore = async (variable: string, url: (port: number) => string) => {
  const [port, dataDir] = [await ownPort(), newDataDir()];
  const output = await failsToStart({ [variable]: url(port), DATA_DIR: dataDir, PORT: '0' });
  rmSync(dataDir, { recursive: true });
  return { variable, port, output };
};

beforeAll(() => {
  waitingStarts = Promise.all([
    waitForStore('DATABASE_URL', (port) => `postgresql://kyc:hunter2@127.0.0.1:${port}/kyc`),
    waitForStore('EVENTSTORE_URL', (port) => `esdb://admin:hunter2@127.0.0.1:${port}?tls=false`),
  ]);
  // Its failure is that of the test that awaits it.
  waitingStarts.catch(() => undefined);
});

describe('a service that nothing was configured for', () => {
  const service = runningService();

  it('tells how to call it and keeps the demo account for its owner only', async () => {
    await eventually('the banner', () => service.output().includes('A first call:'));
    expect(service.output()).toContain(service.demo().api_key);
    expect(service.demo().base_url).toBe(service.baseUrl);
    expect(statSync(join(service.dataDir, 'demo-account.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(service.dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    expect(await demoCredits(service)).toBe(1_000);
  });

  it('writes a command that gets an operator a token', async () => {
    const { operator_token_command: command, token_url: tokenUrl } = service.demo();
    expect(tokenUrl).toBe(`${service.baseUrl}/dev/token`);
    const { stdout } = await promisify(exec)(command);
    const headers = { Authorization: `Bearer ${stdout.trim()}` };
    expect((await fetch(`${service.baseUrl}/admin/accounts`, { headers })).status).toBe(200);
  });

  it('writes a command that gets a token to issue credentials with', async () => {
    const { stdout } = await promisify(exec)(service.demo().token_command);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${stdout.trim()}` };
    const answer = await fetch(`${service.baseUrl}/api/v1/issue`, { method: 'POST', headers, body: '{}' });
    // Its caller may issue; what it asks for is judged next.
    expect(((await answer.json()) as { error_code: string }).error_code).toBe('MISSING_FIELD');
  });

  it('gives a token to whoever knows its secret, and to nobody else behind a proxy that makes all look local', async () => {
    const secret = service.demo().dev_secret;
    const proxy = await startPlainProxy(service.port);
    for (const url of [service.baseUrl, proxy.url]) {
      for (const wrong of [undefined, '', secret.slice(1), `${secret}x`, service.demo().api_key]) {
        const { status, code } = await askForToken(url, wrong);
        expect([status, code]).toEqual([401, 'INVALID_TOKEN']);
      }
      expect((await askForToken(url, secret)).status).toBe(200);
    }
    await proxy.close();
  });

  it('lets caches keep the keys of its signatures for a while', async () => {
    const { headers } = await fetch(`${service.baseUrl}/.well-known/jwks.json`);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['public, max-age=300', null]);
  });

  it('keeps the secret over a restart and the loss of the demo file', async () => {
    const secret = service.demo().dev_secret;
    await service.stop();
    rmSync(join(service.dataDir, 'demo-account.json'));
    await service.restart();
    expect(service.demo().dev_secret).toBe(secret);
    expect((await askForToken(service.baseUrl, secret)).status).toBe(200);
  }, 120_000);

  /** Its key is unknown to the process, since nobody has used it after the restart above. */
  it('lets a key in that it meets for the first time, whatever junk came from the same address before', async () => {
    const http = new Http(service.baseUrl);
    const from = freshAddress();
    const junk = { path: '/billing/credits', from, apiKey: 'kyc_sandbox_junk' };
    const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await http.send(junk)).status));
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
    const { status } = await http.send({ path: '/billing/credits', from, apiKey: service.demo().api_key });
    http.close();
    expect(status).toBe(200);
  });

  it('refuses a second one in the same data folder, naming the first', async () => {
    const output = await failsToStart({ DATA_DIR: service.dataDir, PORT: '0' });
    expect(output).toContain(`is in use by another process (pid ${service.pid})`);
  }, 90_000);

  it('runs again by itself after the event-store node was killed', async () => {
    const killed = nodeOf(service.dataDir);
    if (killed !== undefined) process.kill(killed, 'SIGKILL');
    await eventually('another node', () => ![undefined, killed].includes(nodeOf(service.dataDir)), 30_000);
    await eventually('a balance', async () => (await demoCredits(service)) === 1_000, 30_000);
  }, 90_000);

  it('runs again by itself after Postgres was killed', async () => {
    const killed = postmasterOf(service.dataDir);
    process.kill(killed, 'SIGKILL');
    await eventually('another Postgres', () => postmasterOf(service.dataDir) !== killed, 30_000);
    await eventually('a balance', async () => (await demoCredits(service)) === 1_000, 30_000);
  }, 90_000);

  it('after kill -9 leaves nothing running for more than five seconds, and starts over the same data', async () => {
    const key = service.demo().api_key;
    await service.kill9();
    await eventually('the end of its children', () => processesOf(service.dataDir).length === 0, 6_000);
    await service.restart();
    await eventually('a balance', async () => (await demoCredits(service)) === 1_000, 30_000);
    expect(service.demo().api_key).toBe(key);
  }, 120_000);

  it('starts at once after kill -9, beside children that are still stopping or stopped', async () => {
    const node = nodeOf(service.dataDir);
    const postmaster = postmasterOf(service.dataDir);
    process.kill(postmaster, 'SIGSTOP');
    if (node !== undefined) process.kill(node, 'SIGSTOP');
    await service.kill9();
    await service.restart();
    await eventually('a balance', async () => (await demoCredits(service)) === 1_000, 30_000);
    await eventually('the end of the stopped node', () => node !== nodeOf(service.dataDir), 6_000);
    expect(postmasterOf(service.dataDir)).not.toBe(postmaster);
  }, 120_000);

  it('stops all that it started on one signal that arrives twice, with status 0', async () => {
    service.signal('SIGINT');
    await eventually('the begun stop', () => service.output().includes('finishing what runs'));
    service.signal('SIGINT');
    expect(await service.ended()).toBe(0);
    await eventually('the end of its children', () => processesOf(service.dataDir).length === 0);
  }, 90_000);

  it('leaves its data to commands, which wait for one another', async () => {
    const env = { ...bareEnvironment(), DATA_DIR: service.dataDir };
    // On a busy machine one may end before the other begins.
    await eventually(
      'a command that waits for another',
      async () => {
        const lists = [1, 2].map(
          () => new TestProcess(process.execPath, [built('src/cli.js'), 'accounts', 'list'], env),
        );
        const statuses = await Promise.all(lists.map((list) => list.ended()));
        expect([statuses, lists.map(({ output }) => output)]).toEqual([
          [0, 0],
          [1, 2].map(() => expect.stringMatching(/1 of 1/)),
        ]);
        return lists.filter(({ output }) => output.includes('waiting for it')).length === 1;
      },
      100_000,
    );
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
      const env = { ...bareEnvironment(), DATA_DIR: dataDir, PORT: String(await ownPort()), EVENTSTORE_PORT: '0' };
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
  const dataDir = newDataDir();
  // A start that was killed left it.
  mkdirSync(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true });
  const service = runningService({
    dataDir,
    env: { HOST: '0.0.0.0', ALLOW_EMBEDDED: 'true', PUBLIC_URL: 'https://kyc.example.org' },
  });

  it('does not take a half-made database for a whole one', () => {
    expect(readlinkSync(`/proc/${postmasterOf(dataDir)}/cwd`)).toBe(join(dataDir, 'postgres'));
  });

  it('gives nobody a token, whatever he knows, and tells of none', async () => {
    const { status } = await askForToken(service.baseUrl, 'any');
    expect([status, (await fetch(`${service.baseUrl}/dev/jwks.json`)).status]).toEqual([404, 404]);
    expect(Object.keys(service.demo())).toEqual(['base_url', 'tenant_id', 'api_key']);
    expect(service.demo().base_url).toBe('https://kyc.example.org');
  });

  it('ends soon on a signal, with status 0, whatever connection is silent', async () => {
    const idleSocket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    const half = connect(service.port, '127.0.0.1').on('error', () => undefined);
    await Promise.all([once(idleSocket, 'connect'), once(half, 'connect')]);
    half.write('GET / HTTP/1.1\r\nHo');
    // A request that is answered was accepted after both.
    await fetch(`${service.baseUrl}/health/live`);
    service.signal('SIGTERM');
    expect(await service.ended()).toBe(0);
    // What is waited for, is for 30 s, and then said to be cut off.
    expect(service.output()).not.toContain('cut off');
    for (const socket of [idleSocket, half]) socket.destroy();
  }, 90_000);
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
  }, 90_000);

  it('says that the data folder is not writable, and what to do', async () => {
    const folder = newDataDir();
    writeFileSync(join(folder, 'file'), '');
    const output = await failsToStart({ DATA_DIR: join(folder, 'file', 'data'), PORT: '0' });
    expect(output).toContain(`The data folder ${join(folder, 'file', 'data')} is not writable`);
    rmSync(folder, { recursive: true });
  }, 90_000);

  it('names every wrong variable', async () => {
    const output = await failsToStart({ PORT: 'x', LOG_LEVEL: 'loud', TLS_CERT_FILE: '/nowhere' });
    for (const name of ['PORT', 'LOG_LEVEL', 'TLS_CERT_FILE', 'TLS_KEY_FILE']) expect(output).toContain(`\n  ${name} `);
  }, 90_000);

  it('lists malformed keys beside the other faults', async () => {
    const output = await failsToStart({ PORT: 'x', KEYS: '{"index_root":"c2VjcmV0"}' });
    for (const name of ['PORT', 'KEYS']) expect(output).toContain(`\n  ${name} `);
    expect(output).not.toContain('c2VjcmV0');
  }, 90_000);

  it('says that it waits for a configured store, then what to do, in a few lines', async () => {
    for (const { variable, port, output } of await waitingStarts) {
      expect(output).toContain(`${variable}: waiting for 127.0.0.1:${port}`);
      expect(output).toContain(`correct ${variable}; then start again`);
      expect(output).not.toMatch(/hunter2|postgres is unavailable/);
      expect(output.trim().split('\n').length).toBeLessThan(6);
    }
  }, 90_000);
});
