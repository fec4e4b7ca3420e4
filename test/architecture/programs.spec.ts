import { sourceFiles } from './source-files.js';

const TABLES = 'src/kernel/contract.ts';
const SUM = 'src/boot/contract.ts';

const files = sourceFiles('src').filter(({ path }) => !path.endsWith('.spec.ts'));
const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
const imported = new Set(files.flatMap(({ imports }) => imports));
const programs = [...importsOf.keys()].filter((path) => /^src\/[^/]+$/.test(path) && !imported.has(path));

const reachesTables = (path: string, seen = new Set<string>()): boolean => {
  if (path === TABLES) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return (importsOf.get(path) ?? []).some((next) => reachesTables(next, seen));
};

/** Modules are loaded in the order of their imports, the deepest first. */
const declaresFirst = (path: string): boolean => {
  if (path === SUM) return true;
  const first = importsOf.get(path)?.find((next) => reachesTables(next));
  return first !== undefined && declaresFirst(first);
};

describe('a program', () => {
  const reading = programs.filter((path) => reachesTables(path));

  it('is a file that no other imports', () =>
    expect(reading).toEqual(expect.arrayContaining(['src/cli.ts', 'src/describe.ts', 'src/main.ts'])));

  // Jest makes them known before each test, which would hide it.
  it.each(reading)('%s makes the tables of the contract known before it loads what reads them', (path) =>
    expect(declaresFirst(path)).toBe(true),
  );
});
