import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/built.js';
import { ownPort } from '../support/ports.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

const page = readFileSync(join(projectRoot, 'docs/five-minutes.md'), 'utf8');

/** What the page types in a terminal. */
const typedIn = (terminal: number): string =>
  [...page.matchAll(/^```sh\n# terminal (\d)\n(.*?)^```$/gms)]
    .filter(([, number]) => Number(number) === terminal)
    .map(([, , commands]) => commands)
    .join('');

describe("the page of a stranger's first five minutes", () => {
  const service = runningService();

  /** Runs what the page says against the service of this test. */
  const type = (commands: string) => {
    const own = commands
      .replaceAll('localhost:3000', new URL(service.baseUrl).host)
      .replaceAll('.data/', `${service.dataDir}/`);
    const env = { ...process.env, DATA_DIR: service.dataDir };
    const shell = spawn('bash', ['-ec', own], { cwd: projectRoot, env, detached: true });
    const printed: string[] = [];
    shell.stdout.on('data', (text: Buffer) => printed.push(text.toString()));
    shell.stderr.on('data', (text: Buffer) => printed.push(text.toString()));
    return {
      printed: () => printed.join(''),
      ended: new Promise<number | null>((resolve) => shell.once('exit', resolve)),
      interrupt: () => process.kill(-(shell.pid ?? 0), 'SIGINT'),
    };
  };

  it('leads by its text from a running service to a verified webhook about an onboarded person', async () => {
    expect(typedIn(1)).toContain('npm ci && npm start');
    const receiver = type(typedIn(2).replace('--register', `--register --port ${await ownPort()}`));
    await eventually('a receiver', () => receiver.printed().includes('listening'));
    const caller = type(typedIn(3));
    expect(await caller.ended).toBe(0);
    expect(caller.printed()).toMatch(/"found":true,"tier":"Tier2"[^]*"credits":999/);
    await eventually('both events', () => /identity\.verified.*signature fine/.test(receiver.printed()));
    expect(receiver.printed()).toMatch(/identity\.created.*signature fine[^]*customer-4711/);
    receiver.interrupt();
    await receiver.ended;
    await eventually('no endpoint', async () => {
      const headers = { 'X-API-Key': service.demo().api_key };
      const answer = await fetch(`${service.baseUrl}/api/v1/webhooks/endpoints`, { headers });
      return ((await answer.json()) as { endpoints: readonly unknown[] }).endpoints.length === 0;
    });
  }, 120_000);
});
