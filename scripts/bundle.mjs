// Puts each program and what it imports into one file. Thousands of modules take 2 s to find and open, most of a start.
// Split bundles would evaluate modules that import each other in another order than Node: Nest found classes undefined.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const PROGRAMS = ['main', 'cli'];
/** They stay as they are: pino starts a thread from its own folder, and jsonc-parser hides its parts behind a UMD wrapper. */
export const APART = ['pino', 'thread-stream', 'jsonc-parser'];
/** Large, and imported only where they are used. */
const SELDOM = ['mailchecker', 'node-pg-migrate', 'pdfkit'];
/** Libraries ask for these where they are installed; here they are not. */
export const NOT_INSTALLED = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'class-transformer/storage',
  'pg-native',
];
const OF_THIS_MODULE = /\bimport\.meta\.(url|dirname)\b|\b__dirname\b|\b__filename\b/g;
/** Strict, as the modules are, and with what they ask for that a bundle of CommonJS does not give. */
export const GIVEN = "'use strict'; const urlOfBundle = require('node:url').pathToFileURL(__filename);";
/** Node keeps the source of an ES module with two bytes a letter. src/run-bundle.ts keeps what it compiled, too. */
const SHIM = (program, digest) => `import { join } from 'node:path';
import { runBundle } from './run-bundle.js';

runBundle(join(import.meta.dirname, '${program}.bundle.cjs'), '${digest}');\n`;

/** A module goes on to find the files beside it where they are, wherever the bundle lies. */
const withOwnPlaces = (text, folder, path) => {
  const url = `new URL(${JSON.stringify(relative(folder, path))}, urlOfBundle)`;
  const file = `process.getBuiltinModule('node:url').fileURLToPath(${url})`;
  const parent = `process.getBuiltinModule('node:path').dirname(${file})`;
  const places = {
    'import.meta.url': `${url}.href`,
    'import.meta.dirname': parent,
    __dirname: parent,
    __filename: file,
  };
  return text.replace(OF_THIS_MODULE, (name) => places[name]);
};

export const modulesFor = (folder) => ({
  name: 'modules',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
      return { contents: withOwnPlaces(readFileSync(path, 'utf8'), folder, path), loader: 'js' };
    });
  },
});

/** The compiled entry of a program, as it was before it was bundled. */
const entryOf = (folder, program) => join(folder, `${program}.entry.js`);

/** One letter beyond Latin-1 would double the memory that V8 takes for the whole text. esbuild leaves them in patterns. */
const inAscii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

const bundleProgram = async (folder, program) => {
  const own = join(folder, `${program}.js`);
  copyFileSync(own, entryOf(folder, program));
  const bundled = join(folder, `${program}.bundle.cjs`);
  await build({
    entryPoints: [entryOf(folder, program)],
    outfile: bundled,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    sourcemap: 'linked',
    sourcesContent: false,
    external: [...APART, ...SELDOM, ...NOT_INSTALLED],
    // Code that V8 kept of a script can import nothing (Node 20 to 24); it can require.
    supported: { 'dynamic-import': false },
    banner: { js: `(function (require, __filename) { ${GIVEN}` },
    footer: { js: '})' },
    plugins: [modulesFor(folder)],
    logLevel: 'error',
  });
  const text = inAscii(readFileSync(bundled, 'utf8'));
  writeFileSync(bundled, text);
  writeFileSync(own, SHIM(program, createHash('sha256').update(text).digest('hex').slice(0, 16)));
};

/** The verifier of evidence as one file, which travels with what it verifies. */
const bundleVerifier = (dist) =>
  build({
    entryPoints: [join(dist, '..', 'packages', 'log-proofs', 'dist', 'main.js')],
    outfile: join(dist, '..', 'packages', 'log-proofs', 'dist', 'verify.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });

/** Bundles the programs of dist/src in place: the paths by which they are started stay. */
export const bundle = async (dist) => {
  const folder = join(dist, 'src');
  await Promise.all([...PROGRAMS.map((program) => bundleProgram(folder, program)), bundleVerifier(dist)]);
};
