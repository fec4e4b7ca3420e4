// Builds the programs that tests run and the libraries that they load, and runs jest with the flag that its ES module support needs.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slowness } from './slowness.mjs';
import { buildTestLibraries } from './test-libraries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const build = spawnSync(process.execPath, [join(root, 'scripts', 'build-if-stale.mjs')], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);
await buildTestLibraries();

const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
// Every spec file leaves its modules behind. Its worker collects them itself: there are more workers than processors.
const flags = ['--experimental-vm-modules', '--no-warnings', '--single-threaded-gc', '--max-semi-space-size=64'];
const env = { ...process.env, TEST_SLOWNESS: process.env.TEST_SLOWNESS ?? String(slowness()) };
const child = spawn(process.execPath, [...flags, jest, ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
