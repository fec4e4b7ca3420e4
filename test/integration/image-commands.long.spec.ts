import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment, projectRoot } from '../support/built.js';

/** What only somebody with the sources does. */
const OF_DEVELOPMENT =
  /^(build|check|format|lint|openapi|bench|test|projections:record|screening:train|env:example|screenshots)\b/;

const documents = ['README.md', ...readdirSync(join(projectRoot, 'docs')).map((name) => join('docs', name))];
const text = documents
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(projectRoot, name), 'utf8'))
  .join('\n');
const names = [...new Set([...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name))].filter(
  (name) => !OF_DEVELOPMENT.test(name),
);

/** What the last stage copies: sources and the folder that they get to. */
const copied = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8')
  .split(/^FROM /m)
  .at(-1)
  ?.matchAll(/^COPY --from=external (.+) (\S+)$/gm);

let image: string;

beforeAll(() => {
  expect(names).not.toEqual([]);
  image = mkdtempSync(join(tmpdir(), 'kyc-image-'));
  for (const [, sources = '', target = ''] of copied ?? []) {
    for (const source of sources.split(' ').map((path) => path.replace('/app/', ''))) {
      const place = target.endsWith('/') ? join(image, target, basename(source)) : join(image, target);
      // Copied as they are, but for the libraries, of which there are many.
      if (source === 'node_modules') symlinkSync(join(projectRoot, source), place);
      else
        cpSync(join(projectRoot, source), place, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    }
  }
}, 60_000);

afterAll(() => rmSync(image, { recursive: true, force: true }));

it.each(names)(
  'npm run %s works on the files of the image',
  async (name) => {
    const words = ['run', '--silent', name, '--', '--help'];
    const env = { ...bareEnvironment(), NODE_ENV: 'production' };
    const { stdout } = await promisify(execFile)('npm', words, { cwd: image, env });
    expect(stdout).toMatch(/usage/i);
  },
  60_000,
);
