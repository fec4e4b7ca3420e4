// Runs the benchmark: compiles bench/ beside the built service (types are checked by `npm run types`), then starts it.
import { transformFile } from '@swc/core';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = readdirSync(join(root, 'bench'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));

for (const name of sources) {
  const { code } = await transformFile(join(root, 'bench', name), {
    configFile: false,
    swcrc: false,
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  const target = join(root, 'dist', 'bench', name.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}

const bench = spawn(process.execPath, [join(root, 'dist', 'bench', 'main.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => bench.kill(signal));
bench.on('exit', (status, signal) => process.exit(signal === null ? (status ?? 1) : 1));
