import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../support/built.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

const run = promisify(execFile);

interface Step {
  readonly commands: string;
  readonly prints: string;
}

/** The README's section: shell commands, each block followed by what it prints. */
const stepsOf = (readme: string): Step[] => {
  const section = readme.split('\n## ').find((text) => text.startsWith('A first call')) ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```\n```json\n([\s\S]*?)```/g)];
  return blocks.map(([, commands = '', prints = '']) => ({ commands, prints }));
};

/** Ids, hashes, times and the version of curl differ from call to call. */
const masked = (text: string): unknown =>
  JSON.parse(
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replace(/"[0-9a-f]{64}"/g, '"<hash>"')
      .replace(/"key_id":"[0-9A-Za-z]{8}"/g, '"key_id":"<key>"')
      .replace(/\d{4}-\d{2}-\d{2}T[0-9:.]+Z/g, '<time>')
      .replace(/curl\/[0-9.]+/g, 'curl'),
  ) as unknown;

describe("the README's first call", () => {
  const service = runningService();
  const steps = stepsOf(readFileSync(join(projectRoot, 'README.md'), 'utf8'));

  const read = async (path: string): Promise<Record<string, unknown>> => {
    const headers = { 'X-API-Key': service.demo().api_key };
    const answer = await fetch(`${service.baseUrl}${path}`, { headers });
    return (await answer.json()) as Record<string, unknown>;
  };
  /** The check's entry in the audit log comes within a second. */
  const following = [
    undefined,
    async () => String((await read('/api/v1/compliance/audit-log?action=eligibility_check'))['logs']) !== '',
  ];

  it('ingests, checks, and looks at balance and audit log: each prints what the README says', async () => {
    expect(steps.length).toBe(4);
    let script = '';
    for (const [index, { commands, prints }] of steps.entries()) {
      const here = commands
        .replaceAll('localhost:3000', `127.0.0.1:${service.port}`)
        .replaceAll('.data/', `${service.dataDir}/`);
      // The key is read once and used by every later block.
      const [key = ''] = /^KEY=.*$/m.exec(here) ?? [];
      script ||= key;
      const { stdout } = await run('bash', ['-ec', `${script}\n${here}`]);
      expect(masked(stdout)).toEqual(masked(prints));
      await eventually('what follows of it', () => following[index]?.() ?? true);
    }
  }, 60_000);
});
