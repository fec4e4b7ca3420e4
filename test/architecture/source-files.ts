import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export interface SourceFile {
  /** Relative to the project's root. */
  readonly path: string;
  readonly text: string;
  /** What it imports: paths relative to the root for files of the project, else names of packages. */
  readonly imports: readonly string[];
}

const IMPORT = /(?:^|[;\s])(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

const resolveImport = (path: string, specifier: string): string =>
  specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)).replace(/\.js$/, '.ts') : specifier;

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

const read = (path: string): SourceFile => {
  const text = readFileSync(join(root, path), 'utf8');
  const imports = [...withoutComments(text).matchAll(IMPORT)].map((match) =>
    resolveImport(path, match[1] ?? match[2] ?? ''),
  );
  return { path, text, imports };
};

/** Every TypeScript file below a folder. */
export const sourceFiles = (folder: string): SourceFile[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => read(join(folder, name)));
