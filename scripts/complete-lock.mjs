// Adds optional packages of other platforms to package-lock.json, which some registry mirrors leave out. npm ci refuses a lock
// without them. Run it after an `npm install` against such a mirror.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openharmony'];
const processors = {
  arm64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  s390x: 's390x',
  riscv64: 'riscv64',
  loong64: 'loong64',
  arm: 'arm',
};

const platformOf = (name) => {
  const parts = name.split('/').at(-1).split('-');
  const os = parts.find((part) => systems.includes(part));
  const cpu = Object.entries(processors).find(([prefix]) => parts.some((part) => part.startsWith(prefix)))?.[1];
  return os === undefined || cpu === undefined ? undefined : { cpu: [cpu], os: [os] };
};

const known = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));
let added = 0;
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const platform = platformOf(name);
    if (known.has(name) || platform === undefined || !/^\d/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(parent.dev ? { dev: true } : {}),
      optional: true,
    };
    known.add(name);
    added += 1;
  }
}

const sorted = Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
if (added > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages added`);
