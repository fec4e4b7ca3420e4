// Runs code (types and lint), unit specs (with the import table), openapi (the document's lint, and whether the client fits it) and
// format at once, or only the named ones. Shows failures and the time of each.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (path) => join(root, 'node_modules', path);

// Unit specs wait now and then: one more than there are processors.
const WORKERS = availableParallelism() + 1;

const named = process.argv.slice(2);
const parts = [
  ['code', [bin('oxlint/bin/oxlint')]],
  // A handle that a test leaves open must not keep the run from ending.
  [
    'unit',
    [
      join(root, 'scripts', 'jest.mjs'),
      '--selectProjects',
      'unit',
      '--silent',
      '--forceExit',
      `--maxWorkers=${WORKERS}`,
    ],
  ],
  ['openapi', [join(root, 'scripts', 'openapi.mjs')]],
  // The cache under node_modules compares contents, so only changed files are checked again.
  ['format', [bin('prettier/bin/prettier.cjs'), '--check', '--cache', '--cache-strategy', 'content', '.']],
].filter(([name]) => named.length === 0 || named.includes(name));

const run = ([name, args]) =>
  new Promise((resolve) => {
    const begun = Date.now();
    const output = [];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      const seconds = ((Date.now() - begun) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(7)} ${seconds} s`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });

process.exit((await Promise.all(parts.map(run))).every(Boolean) ? 0 : 1);
