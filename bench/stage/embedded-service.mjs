// Starts a built service with everything embedded, in a folder of its own, for benchmarks that speak to it over HTTP.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@kyc/embedded-runtime/ports';

const WAIT_BUDGET_MS = 60_000;

const until = async (holds) => {
  const deadline = performance.now() + WAIT_BUDGET_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the service did not start in time');
    await sleep(100);
  }
};

/** `program`: the script to run, in place of the service's own. `width`: calls under way at a time. */
export const startEmbeddedService = async ({ dist, program = join(dist, 'src/main.js'), width }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kyc-bench-'));
  const port = await freePort();
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const service = spawn(process.execPath, [program], {
    env: { ...process.env, DIST: dist, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  const send = (path, body, headers = {}, method = 'POST') =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const type =
        text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const outgoing = request(
        { port, host: '127.0.0.1', path, method, agent, headers: { ...headers, ...type } },
        (answer) => {
          const chunks = [];
          answer.on('data', (chunk) => chunks.push(chunk));
          answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(text);
    });

  const expectJson = async (...call) => {
    const { status, text } = await send(...call);
    if (status > 299) throw new Error(`${call[0]}: ${status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

  const stop = async () => {
    agent.destroy();
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await new Promise((resolve) => service.once('exit', resolve));
    }
    rmSync(dataDir, { recursive: true, force: true });
  };

  const file = join(dataDir, 'demo-account.json');
  try {
    await until(() => existsSync(file));
    const demo = JSON.parse(readFileSync(file, 'utf8'));
    const bearer = async (claims) => {
      const { access_token } = await expectJson('/dev/token', claims, { 'x-dev-secret': demo.dev_secret });
      return { authorization: `Bearer ${access_token}` };
    };
    const operator = await bearer({ tenant_id: demo.tenant_id, roles: ['admin'] });
    /** Lifts the rate limits of an account, so that the benchmark meets none. */
    const unlimited = (tenantId) => {
      const limits = { rate_limit_per_minute: 1e9, burst_per_second: 1e9 };
      return expectJson(`/admin/accounts/${tenantId}`, limits, operator, 'PATCH');
    };
    return { dataDir, demo, operator, bearer, unlimited, expectJson, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
