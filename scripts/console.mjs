// Builds packages/console into its dist/: hashed files that browsers may keep for good, and the page that loads them.
import { build } from 'esbuild';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages', 'console');

const page = (script, style) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>KYC console</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/console/assets/${style}"></head>
<body><div id="root"></div><noscript>The console needs JavaScript.</noscript>
<script src="/console/assets/${script}" type="module"></script></body></html>
`;

export const buildConsole = async () => {
  const out = join(folder, 'dist');
  // A production installation without the sources comes with its dist/.
  if (!existsSync(join(folder, 'src'))) return;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { metafile } = await build({
    entryPoints: [join(folder, 'src', 'main.tsx')],
    outdir: join(out, 'assets'),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    splitting: true,
    // The verifier of proofs is the same code as on the command line.
    alias: { 'node:crypto': join(folder, 'src', 'proofs', 'node-crypto.ts') },
    inject: [join(folder, 'src', 'proofs', 'buffer.ts')],
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    conditions: ['@kyc/source'],
    legalComments: 'none',
    logLevel: 'error',
  });
  const files = Object.keys(metafile.outputs).map((file) => basename(file));
  const named = (ending) => files.find((file) => file.startsWith('main-') && file.endsWith(ending)) ?? '';
  writeFileSync(join(out, 'index.html'), page(named('.js'), named('.css')));
};
