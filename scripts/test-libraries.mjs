// Puts each group of libraries that tests load into one file. jest runs every module of a library anew for every spec file, and
// Nest's alone are a thousand.
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APART, GIVEN, modulesFor, NOT_INSTALLED } from './bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist', 'test-libraries');
/** The file of a group. */
const fileOf = (group) => join(folder, 'groups', `${group}.cjs`);
const stamp = join(folder, '.built');
const inputs = ['package-lock.json', 'scripts/bundle.mjs', 'scripts/test-libraries.mjs'];

/** What is imported of each group. Libraries that share instances or classes are in one group. */
const GROUPS = {
  nest: [
    '@nestjs/bull',
    '@nestjs/common',
    '@nestjs/common/constants.js',
    '@nestjs/common/enums/route-paramtypes.enum.js',
    '@nestjs/core',
    '@nestjs/cqrs',
    '@nestjs/platform-fastify',
    '@nestjs/swagger',
    '@nestjs/testing',
    'class-transformer',
    'class-validator',
    'fastify',
    'libphonenumber-js/max',
    'libphonenumber-js/min',
    'rxjs',
  ],
  'event-store': [
    '@eventstore/db-client',
    '@eventstore/db-client/dist/Client/parseConnectionString.js',
    '@eventstore/db-client/dist/utils/convertGrpcEvent.js',
    '@eventstore/db-client/generated/gossip_grpc_pb.js',
    '@eventstore/db-client/generated/gossip_pb.js',
    '@eventstore/db-client/generated/shared_pb.js',
    '@eventstore/db-client/generated/status_pb.js',
    '@eventstore/db-client/generated/streams_pb.js',
    '@grpc/grpc-js',
  ],
  telemetry: [
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-metrics-otlp-proto',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace',
    'prom-client',
  ],
  jose: ['jose'],
  redis: ['bull', 'ioredis'],
  stripe: ['stripe'],
};

const ALL = Object.values(GROUPS).flat();
const LIBRARIES = [...new Set(ALL.map((specifier) => specifier.match(/^(@[^/]+\/)?[^/]+/)[0]))];

/** jest's mapping of every import from these libraries. What no group lists fails: it would come with a second instance. */
export const libraryMapping = {
  [`^((?:${LIBRARIES.join('|')})(?:/.+)?)$`]: '<rootDir>/dist/test-libraries/$1',
};

const packageOf = (path) => {
  const file = join(dirname(path), 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : packageOf(dirname(path));
};

const isEcmaScript = (specifier) => {
  const path = fileURLToPath(import.meta.resolve(specifier));
  return path.endsWith('.mjs') || (path.endsWith('.js') && packageOf(path).type === 'module');
};

const isNamed = (name) => /^[A-Za-z_$][\w$]*$/.test(name) && !['default', 'module'].includes(name);

/** The module that an import finds instead of the library: its part of the group's file. */
const writePart = async (group, specifier) => {
  const target = join(folder, specifier);
  const bundle = relative(dirname(target), fileOf(group));
  const part = `require(${JSON.stringify(bundle.startsWith('.') ? bundle : `./${bundle}`)})[${JSON.stringify(specifier)}]`;
  const present = await import(specifier);
  const names = Object.keys(present).filter(isNamed);
  mkdirSync(dirname(target), { recursive: true });
  if (!isEcmaScript(specifier)) {
    // The last line is never run. It tells the names to whoever imports a CommonJS module.
    writeFileSync(`${target}.cjs`, `module.exports = ${part};\n0 && (module.exports = { ${names.join(', ')} });\n`);
    return;
  }
  const lines = [
    "import { createRequire } from 'node:module';",
    'const require = createRequire(import.meta.url);',
    `const part = ${part};`,
    ...names.map((name, place) => `const _${place} = part.${name};`),
    `export { ${names.map((name, place) => `_${place} as ${name}`).join(', ')} };`,
    ...('default' in present ? ['export default part.default;'] : []),
  ];
  writeFileSync(`${target}.mjs`, `${lines.join('\n')}\n`);
};

const bundleGroup = async ([group, specifiers]) => {
  const parts = specifiers.map((specifier) => JSON.stringify(specifier));
  // A part runs when it is asked for.
  const contents = `module.exports = { ${parts.map((part) => `get ${part}() { return require(${part}); }`).join(', ')} };`;
  await build({
    stdin: { contents, resolveDir: root },
    outfile: fileOf(group),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['import'],
    external: [...ALL.filter((specifier) => !specifiers.includes(specifier)), ...APART, ...NOT_INSTALLED],
    banner: { js: GIVEN },
    plugins: [modulesFor(dirname(fileOf(group)))],
    logLevel: 'error',
  });
  for (const specifier of specifiers) await writePart(group, specifier);
};

const isBuilt = () =>
  existsSync(stamp) && inputs.every((name) => statSync(join(root, name)).mtimeMs <= statSync(stamp).mtimeMs);

export const buildTestLibraries = async () => {
  if (isBuilt()) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Promise.all(Object.entries(GROUPS).map(bundleGroup));
  writeFileSync(stamp, '');
};
