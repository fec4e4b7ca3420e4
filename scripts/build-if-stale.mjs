// Builds dist/ when a source is newer than the last build, so that `npm start` costs nothing when nothing changed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');
const inputs = ['src', 'projections', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];

const newest = (path) => {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), entry.mtimeMs);
};

const sources = inputs.map((name) => join(root, name)).filter((path) => existsSync(path));
const changed = Math.max(...sources.map(newest));
if (existsSync(stamp) && statSync(stamp).mtimeMs >= changed) process.exit(0);

const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
if (!existsSync(nest)) {
  if (existsSync(join(root, 'dist', 'src', 'main.js'))) process.exit(0);
  console.error('dist/ is missing and the compiler is not installed: run `npm ci` with development dependencies first.');
  process.exit(1);
}
const started = Date.now();
const built = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
writeFileSync(stamp, '');
console.log(`Built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
