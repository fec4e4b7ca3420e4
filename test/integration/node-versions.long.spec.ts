import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment, projectRoot } from '../support/built.js';

const run = promisify(execFile);

/** What uses Node the most. The rest is pure, or the core has it. */
const NEAR_NODE = ['src/kernel', 'src/log', 'src/platform', 'src/http', 'packages'];

/** They need no browser and no Redis, and start programs under the same Node. */
const CORE = ['first-call', 'two-tenants', 'credentials', 'payments', 'lists'].map(
  (name) => `test/e2e/${name}.spec.ts`,
);
const LIMIT = { timeout: 15 * 60_000, maxBuffer: 1 << 26 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kyc-node-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program of npm's package, which has a name for each platform. */
const programOf = async (version: string): Promise<string> => {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(folder, version);
  await run('npm', ['install', '--silent', '--no-save', '--prefix', prefix, `${name}@${version}`], LIMIT);
  return join(prefix, 'node_modules', name, 'bin', 'node');
};

const figuresOf = async (program: string, words: readonly string[]): Promise<string> => {
  const args = [join(projectRoot, 'scripts', 'jest.mjs'), '--ci', '--forceExit', ...words];
  const { stderr } = await run(program, args, { ...LIMIT, cwd: projectRoot, env: bareEnvironment() });
  return /^Tests:.*$/m.exec(stderr)?.[0] ?? stderr;
};

it.each(['22', '24'])(
  'Node %s runs the first call of the README, the core of the interface and the unit specs near Node',
  async (version) => {
    const program = await programOf(version);
    expect((await run(program, ['--version'])).stdout).toMatch(new RegExp(`^v${version}\\.`));
    for (const words of [
      ['--runTestsByPath', ...CORE],
      ['--selectProjects', 'unit', '--testPathPatterns', ...NEAR_NODE],
    ])
      expect(await figuresOf(program, words)).toMatch(/^Tests: +(\d+ skipped, )?\d+ passed, \d+ total$/);
  },
  2 * LIMIT.timeout,
);
