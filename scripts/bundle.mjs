// Puts each program and all that it imports into a few files. Thousands of modules take 2 s to find and open, most of a start.
import { build } from 'esbuild';
import { copyFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const PROGRAMS = ['main', 'cli'];
/** They stay as they are: pino starts a thread from its own folder, and jsonc-parser hides its parts behind a UMD wrapper. */
const APART = ['pino', 'thread-stream', 'jsonc-parser'];
/** Large, and imported only where they are used. */
const SELDOM = ['mailchecker', 'node-pg-migrate', 'pdfkit'];
/** Libraries ask for these where they are installed; here they are not. */
const NOT_INSTALLED = [
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
/** What modules ask for that a bundle does not give: CommonJS’s `require`, and the place of the bundle itself. */
const GIVEN = [
  "import { createRequire as requireOfBundle } from 'node:module';",
  'const require = requireOfBundle(import.meta.url), urlOfBundle = import.meta.url;',
].join(' ');

/** A module goes on to find the files beside it where they are, wherever the bundle lies. */
const withOwnPlaces = (folder) => ({
  name: 'own-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (text.search(OF_THIS_MODULE) < 0) return undefined;
      const url = `new URL(${JSON.stringify(relative(folder, path))}, urlOfBundle)`;
      const file = `process.getBuiltinModule('node:url').fileURLToPath(${url})`;
      const parent = `process.getBuiltinModule('node:path').dirname(${file})`;
      const places = {
        'import.meta.url': `${url}.href`,
        'import.meta.dirname': parent,
        __dirname: parent,
        __filename: file,
      };
      return { contents: text.replace(OF_THIS_MODULE, (name) => places[name]), loader: 'js' };
    });
  },
});

/** The compiled entry of a program, as it was before it was bundled. */
const entryOf = (folder, program) => join(folder, `${program}.entry.js`);

const bundleProgram = async (folder, program) => {
  copyFileSync(join(folder, `${program}.js`), entryOf(folder, program));
  await build({
    entryPoints: [{ in: entryOf(folder, program), out: program }],
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Leadership, metrics and logs name what runs by its class.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    external: [...APART, ...SELDOM, ...NOT_INSTALLED],
    banner: { js: GIVEN },
    plugins: [withOwnPlaces(folder)],
    logLevel: 'error',
  });
};

/** Bundles the programs of dist/src in place: the paths by which they are started stay. */
export const bundle = async (dist) => {
  const folder = join(dist, 'src');
  await Promise.all(PROGRAMS.map((program) => bundleProgram(folder, program)));
};
