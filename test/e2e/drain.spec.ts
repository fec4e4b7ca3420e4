import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/built.js';
import { ownPort } from '../support/ports.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Call, freshAddress, Http } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, type Tenant } from '../support/load/tenants.js';
import { eventually, sleep, TestProcess } from '../support/stack.js';

const DELAY = 3;
const nginxInstalled = spawnSync('nginx', ['-v']).status === 0;
if (!nginxInstalled)
  console.log('restarts behind nginx: SKIPPED, since nginx is not installed (apt-get install nginx-light)');

let deployment: Deployment;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await Deployment.start({
    instances: 2,
    env: { ...LONG_STORE_BUDGET_MS, SHUTDOWN_DELAY: String(DELAY) },
  });
  tenant = await deployment.operator.tenant({ credits: 100_000 });
  await deployment.operator.limit(tenant.tenantId, 1_000_000, 1_000_000);
}, 90_000);

afterAll(() => deployment.stop());

it('serves for SHUTDOWN_DELAY after SIGTERM, while readiness says 503 at once, and keeps no connection', async () => {
  const { service } = deployment.instance(1);
  const stopping = service.stop();
  await eventually('the readiness', async () => (await fetch(`${service.baseUrl}/health/ready`)).status === 503, 1_000);
  const began = performance.now();
  let answered = 0;
  while (performance.now() - began < (DELAY - 1) * 1_000) {
    const answer = await fetch(`${service.baseUrl}/billing/credits`, {
      headers: { 'x-api-key': tenant.apiKey, 'x-forwarded-for': freshAddress() },
    });
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    answered += 1;
    await sleep(50);
  }
  expect(answered).toBeGreaterThan(5);
  expect(await stopping).toBe(0);
  await expect(fetch(`${service.baseUrl}/health/live`)).rejects.toThrow();
  await deployment.restart(1);
}, 90_000);

/** Two instances behind a balancer as operators write it: it asks for no health, and sends a call on that could not connect. */
const configurationOf = (port: number, folder: string, hosts: readonly string[]): string => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream kyc {
    ${hosts.map((host) => `server ${host} max_fails=1 fail_timeout=1s;`).join(' ')}
    keepalive 16;
  }
  upstream kyc_any { ${hosts.map((host) => `server ${host};`).join(' ')} }
  server {
    listen 127.0.0.1:${port};
    include ${join(projectRoot, 'deploy', 'nginx', 'kyc.conf')};
  }
}`;

const hostsOf = (): string[] => deployment.services.map(({ baseUrl }) => new URL(baseUrl).host);

interface Proxy {
  readonly http: Http;
  errors(): string;
  stop(): Promise<void>;
}

const startNginx = async (hosts: readonly string[]): Promise<Proxy> => {
  const folder = mkdtempSync(join(tmpdir(), 'kyc-nginx-'));
  const port = await ownPort();
  writeFileSync(join(folder, 'nginx.conf'), configurationOf(port, folder, hosts));
  const nginx = new TestProcess('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    PATH: process.env['PATH'] ?? '',
  });
  const http = new Http(`http://127.0.0.1:${port}`, 64, '');
  const reading: Call = { path: '/billing/credits', apiKey: tenant.apiKey };
  await eventually('nginx', async () => (await http.send(reading)).status === 200);
  const stop = async (): Promise<void> => {
    http.close();
    await nginx.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { http, errors: () => readFileSync(join(folder, 'error.log'), 'utf8'), stop };
};

(nginxInstalled ? it : it.skip)(
  'a 503 of one process reaches nobody, and a call that a process may have taken is not sent again',
  async () => {
    let [refused, cut] = [0, 0];
    const refusing = createServer((request, response) => {
      request.resume();
      refused += 1;
      response.writeHead(503).end('{}');
    });
    const cutting = createServer((request) => {
      cut += 1;
      request.socket.destroy();
    });
    const hosts = await Promise.all(
      [refusing, cutting].map(async (server) => {
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        return `127.0.0.1:${(server.address() as AddressInfo).port}`;
      }),
    );
    const call = { path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry(person(87_001)) };
    const statusesOf = async (hostsOfOne: readonly string[]): Promise<number[]> => {
      const { http, stop } = await startNginx(hostsOfOne);
      const statuses: number[] = [];
      for (let calls = 0; calls < 12; calls += 1) {
        statuses.push((await http.send(call)).status);
        // nginx leaves alone for a second what failed.
        await sleep(300);
      }
      await stop();
      return statuses;
    };
    const before = await balanceOf(deployment.http, tenant);
    expect(new Set(await statusesOf([hosts[0] ?? '', ...hostsOf()]))).toEqual(new Set([200]));
    const answered = (await statusesOf([hosts[1] ?? '', ...hostsOf()])).filter((status) => status === 200).length;
    expect([refused > 0, cut > 0, answered < 12]).toEqual([true, true, true]);
    expect(before - (await balanceOf(deployment.http, tenant))).toBe(12 + answered);
    refusing.close();
    cutting.close();
  },
  60_000,
);

(nginxInstalled ? it : it.skip)(
  'five restarts behind nginx under load lose no call and charge none twice',
  async () => {
    const { http, errors, stop } = await startNginx(hostsOf());
    let [sent, checks, restarting] = [0, 0, true];
    const reading: Call = { path: '/billing/credits', apiKey: tenant.apiKey };
    const before = await balanceOf(http, tenant);
    /** A POST that met the closing of its connection is sent again under its key: nginx repeats reads alone. */
    const checking = async (): Promise<Answer> => {
      const headers = { 'idempotency-key': randomUUID() };
      const call = { path: '/api/v1/check-eligibility', apiKey: tenant.apiKey, body: enquiry(person(87_000)), headers };
      checks += 1;
      const first = await http.send(call);
      return first.status === 502 ? http.send(call) : first;
    };
    const bad: string[] = [];
    const load = Array.from({ length: 6 }, async (_, caller) => {
      while (restarting) {
        const answer = await (caller % 2 === 0 ? http.send(reading) : checking());
        if (answer.status !== 200) bad.push(`${answer.status} ${answer.text}`);
        sent += 1;
        await sleep(100);
      }
    });
    for (let restart = 0; restart < 5; restart += 1) {
      await deployment.instance(restart % 2).service.stop();
      await deployment.restart(restart % 2);
    }
    restarting = false;
    await Promise.all(load);
    const spent = before - (await balanceOf(http, tenant));
    const said = bad.length === 0 ? '' : errors();
    await stop();
    expect(sent).toBeGreaterThan(100);
    expect([bad, said]).toEqual([[], '']);
    expect(spent).toBe(checks);
  },
  240_000,
);
