import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../test/support/built.js';

const CODE = 'program.cjs.1a.code';

describe('a program of one file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kyc-bundle-'));
    writeProgram('one', 0);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const writeProgram = (word: string, status: number): void =>
    writeFileSync(
      join(folder, 'program.cjs'),
      `(function (require, __filename) { console.log('${word}', require('node:path').basename(__filename)); process.exit(${status}); })`,
    );
  const run = (digest = '1a'): { readonly stdout: string; readonly status: number | null } => {
    const words = [built('src/run-bundle.js'), join(folder, 'program.cjs'), digest].map((word) => JSON.stringify(word));
    const script = `(await import(${words[0]})).runBundle(${words[1]}, ${words[2]})`;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  };
  const codes = (): readonly string[] => readdirSync(folder).filter((name) => name !== 'program.cjs');

  it('leaves its compiled code after the first run that ends well, and runs that from then on', () => {
    expect(run().stdout).toBe('one program.cjs\n');
    expect(codes()).toEqual([CODE]);
    const { mtimeMs } = statSync(join(folder, CODE));
    expect(run().stdout).toBe('one program.cjs\n');
    expect(statSync(join(folder, CODE)).mtimeMs).toBe(mtimeMs);
  });

  it('leaves none after a failure', () => {
    writeProgram('one', 1);
    expect([run().status, codes()]).toEqual([1, []]);
  });

  it('never runs the code of another program, though both have one length', () => {
    run();
    writeProgram('two', 0);
    expect(run('2b').stdout).toBe('two program.cjs\n');
    expect(codes()).toEqual(['program.cjs.2b.code']);
  });

  it('runs, and leaves nothing beside, where the code cannot be written', () => {
    mkdirSync(join(folder, CODE));
    writeFileSync(join(folder, CODE, 'kept'), '');
    expect([run().stdout, codes()]).toEqual(['one program.cjs\n', [CODE]]);
  });

  it.each([100, 400, 700])('compiles anew where byte %i is another one', (at) => {
    run();
    const code = readFileSync(join(folder, CODE));
    code[at % code.length] = (code[at % code.length] ?? 0) ^ 0xff;
    writeFileSync(join(folder, CODE), code);
    expect([run(), readFileSync(join(folder, CODE)).equals(code)]).toEqual([
      expect.objectContaining({ stdout: 'one program.cjs\n', status: 0 }),
      false,
    ]);
  });

  it('compiles anew, and replaces, what this V8 does not take', () => {
    writeFileSync(join(folder, CODE), 'no code');
    expect(run().stdout).toBe('one program.cjs\n');
    expect(statSync(join(folder, CODE)).size).toBeGreaterThan(100);
  });
});
