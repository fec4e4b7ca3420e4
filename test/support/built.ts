import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '..', '..');

const existing = (path: string): string => {
  const file = join(projectRoot, path);
  if (!existsSync(file)) throw new Error(`${path} is missing: run \`npm run build\` first`);
  return file;
};

/** A compiled program. Tests run it in the way of its users. */
export const built = (path: string): string => existing(join('dist', path));

/** A compiled program of a package. */
export const builtPackage = (name: string, path: string): string => existing(join('packages', name, 'dist', path));

/** The environment of a program under test. It takes nothing from the tester's own configuration. */
export const bareEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  LANG: 'C.UTF-8',
});
