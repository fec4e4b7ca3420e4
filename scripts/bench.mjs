// Runs the benchmark: compiles bench/ beside the built service, then starts it.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await compile('bench');
const bench = spawn(process.execPath, [join(root, 'dist', 'bench', 'main.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => bench.kill(signal));
bench.on('exit', (status, signal) => process.exit(signal === null ? (status ?? 1) : 1));
