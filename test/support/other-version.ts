import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, projectRoot } from './built.js';

export interface OtherVersion {
  /** Path of the program to start. */
  readonly program: string;
  remove(): void;
}

/** A copy of the compiled service with a later version of a projection. One column has another name, in its queries too. */
export const withRenamedColumn = (projection: string, from: string, to: string): OtherVersion => {
  built('src/main.js');
  const root = mkdtempSync(join(tmpdir(), 'kyc-version-'));
  for (const part of ['dist', 'package.json']) cpSync(join(projectRoot, part), join(root, part), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  const folder = join(root, 'dist', 'projections', projection);
  for (const name of readdirSync(folder).filter((file) => /\.(js|sql)$/.test(file))) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(from, to).replace(/\bversion: \d+/, 'version: 1000'));
  }
  return { program: join(root, 'dist', 'src', 'main.js'), remove: () => rmSync(root, { recursive: true }) };
};
