import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, projectRoot } from './built.js';

export interface OtherVersion {
  /** Path of the program to start. */
  readonly program: string;
  /** Path of its command lines. */
  readonly commands: string;
  remove(): void;
}

/** Links to the libraries, and copies of our own packages, which are compiled too. */
const copyModules = (root: string): void => {
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, '@kyc'), { recursive: true });
  for (const name of readdirSync(join(projectRoot, 'node_modules')))
    if (name !== '@kyc') symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(projectRoot, 'packages')))
    for (const part of ['dist', 'package.json'])
      cpSync(join(projectRoot, 'packages', name, part), join(modules, '@kyc', name, part), { recursive: true });
};

/** A copy of the compiled service, which no later build changes. Its programs load their modules one by one: a test changes some. */
export const copyOfVersion = (): OtherVersion & { readonly projections: string } => {
  built('src/main.js');
  const root = mkdtempSync(join(tmpdir(), 'kyc-version-'));
  for (const part of ['dist', 'package.json']) cpSync(join(projectRoot, part), join(root, part), { recursive: true });
  copyModules(root);
  const sources = join(root, 'dist', 'src');
  for (const program of ['main', 'cli']) cpSync(join(sources, `${program}.entry.js`), join(sources, `${program}.js`));
  return {
    program: join(root, 'dist', 'src', 'main.js'),
    commands: join(root, 'dist', 'src', 'cli.js'),
    projections: join(root, 'dist', 'projections'),
    remove: () => rmSync(root, { recursive: true }),
  };
};

/** A later version of a projection. One column has another name, in its queries too. */
export const withRenamedColumn = (projection: string, from: string, to: string): OtherVersion => {
  const version = copyOfVersion();
  const folder = join(version.projections, projection);
  for (const name of readdirSync(folder).filter((file) => /\.(js|sql)$/.test(file))) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(from, to).replace(/\bversion: \d+/, 'version: 1000'));
  }
  return version;
};

const ADJUSTED = /(CreditsAdjusted\.v1'[\s\S]{0,200}?amount: )(event\.data\.amount)/;

/** An earlier version, whose ledger counts adjustments below 50 credits with the wrong sign. */
export const withSignError = (): OtherVersion => {
  const version = copyOfVersion();
  const change = (file: string, from: RegExp, to: string): void => {
    const path = join(version.projections, 'ledger', file);
    const text = readFileSync(path, 'utf8');
    if (!from.test(text)) throw new Error(`${file} has no ${from.source}`);
    writeFileSync(path, text.replace(from, to));
  };
  change('batch-sum.js', ADJUSTED, '$1($2 < 50 ? -$2 : $2)');
  change('ledger.projection.js', /\bversion: \d+/, 'version: 1');
  return version;
};
