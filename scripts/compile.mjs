// Compiles TypeScript folders with swc. `npm run lint` checks the types, not this script.
import { transformFile } from '@swc/core';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `nest build` uses the same options. Nest reads the dependencies to inject from the decorators' metadata. */
export const swcOptions = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));

const filesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

const isSource = (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts');
const isCopied = (file) => /\.(sql|css|browser\.js)$/.test(file);

const compileFile = async (source, target) => {
  mkdirSync(dirname(target), { recursive: true });
  if (isCopied(source)) return copyFileSync(source, target);
  const { code, map } = await transformFile(source, {
    ...swcOptions,
    configFile: false,
    swcrc: false,
  });
  writeFileSync(`${target}.map`, map);
  writeFileSync(target, `${code}\n//# sourceMappingURL=${target.slice(dirname(target).length + 1)}.map`);
};

/** Compiles a folder of the project into another one. Removes outputs there that have no source any more. */
export const compile = async (folder, output = join('dist', folder)) => {
  const [from, to] = [join(root, folder), join(root, output)];
  const sources = filesBelow(from).filter((file) => isSource(file) || isCopied(file));
  const targetOf = (source) => join(to, source.slice(from.length).replace(/\.ts$/, '.js'));
  for (const source of sources) await compileFile(source, targetOf(source));
  const wanted = new Set(sources.map(targetOf).flatMap((target) => [target, `${target}.map`]));
  for (const file of filesBelow(to)) if (!wanted.has(file)) rmSync(file);
};
