// Builds the service and each package into dist/ folders when a source is newer than the last build. `npm start` then costs
// nothing where nothing changed.
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');
// An image comes with its dist/ and without the compiler.
if (!existsSync(join(root, 'scripts', 'compile.mjs'))) process.exit(0);
const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
const inputs = [
  'src',
  'projections',
  ...packages.map((path) => join(path, 'src')),
  'scripts/compile.mjs',
  'scripts/bundle.mjs',
  'scripts/console.mjs',
  '.swcrc',
  // The programs hold the libraries.
  'package-lock.json',
];

const newest = (path) => {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), entry.mtimeMs);
};

const started = Date.now();
const sources = inputs.map((name) => join(root, name)).filter((path) => existsSync(path));
if (existsSync(stamp) && statSync(stamp).mtimeMs >= Math.max(...sources.map(newest))) process.exit(0);

const load = async () => ({
  ...(await import('./compile.mjs')),
  ...(await import('./bundle.mjs')),
  ...(await import('./console.mjs')),
});

const { compile, bundle, buildConsole } = await load().catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  // An installation without development dependencies comes with its dist/.
  if (existsSync(join(root, 'dist', 'src', 'main.js'))) {
    console.error('dist/ is older than its sources or package-lock.json: build it where development dependencies are.');
    process.exit(0);
  }
  console.error(
    'dist/ is missing and the compiler is not installed: run `npm ci` with development dependencies first.',
  );
  process.exit(1);
});
for (const folder of ['src', 'projections']) await compile(folder);
for (const path of packages.filter((each) => !each.endsWith('console')))
  await compile(join(path, 'src'), join(path, 'dist'));
await buildConsole();
await bundle(join(root, 'dist'));
writeFileSync(stamp, '');
// Files that were saved during the build may be missing from it.
utimesSync(stamp, new Date(started), new Date(started));
console.log(`Built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
