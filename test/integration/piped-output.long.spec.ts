import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { bareEnvironment, built } from '../support/built.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { person } from '../support/load/people.js';
import { ingestAll } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

type Child = ChildProcessByStdio<null, Readable, Readable>;

const start = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Child =>
  spawn(process.execPath, words, { env: { ...bareEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });

/** What a reader sees that takes a piece, and then takes its time. */
const readSlowly = async (child: Child, pause: (piece: number) => number) => {
  const ended = once(child, 'close') as Promise<[number]>;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  let [lines, pieces] = [0, 0];
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    lines += piece.toString('latin1').split('\n').length - 1;
    await sleep(pause((pieces += 1)));
  }
  const [status] = await ended;
  return { lines, errors, status };
};

/** What it sees that goes away after the first piece. */
const readBeginning = async (child: Child) => {
  const ended = once(child, 'close') as Promise<[number]>;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [status] = await ended;
  return { errors, status };
};

describe('what a command prints', () => {
  /** Prints lines as commands print rows, and says at the end how many bytes waited at most. */
  const printing = (lines: number, waiting = true): Child => {
    const module = JSON.stringify(pathToFileURL(built('src/cli/output.js')).href);
    const program = `
      const { Output } = await import(${module});
      const output = new Output();
      let most = 0;
      for (let line = 0; line < ${lines}; line += 1) {
        output.print('x'.repeat(100));
        most = Math.max(most, process.stdout.writableLength);
        if (${waiting} && !(await output.room())) break;
      }
      output.note(String(most));
      await output.exit(0);`;
    return start(['--input-type=module', '-e', program]);
  };

  it('reaches a slow reader whole, a million lines, and does not wait in memory', async () => {
    const { lines, errors, status } = await readSlowly(printing(1_000_000), (piece) => (piece % 64 === 0 ? 1 : 0));
    expect([lines, status]).toEqual([1_000_000, 0]);
    expect(Number(errors)).toBeLessThan(1_048_576);
  }, 120_000);

  it('is read to its end before the command ends, also where it all waits in memory', async () => {
    const { lines, status } = await readSlowly(printing(100_000, false), (piece) => (piece === 1 ? 2_000 : 0));
    expect([lines, status]).toEqual([100_000, 0]);
  }, 60_000);

  it('ends in silence where the reader has gone away', async () => {
    expect(await readBeginning(printing(1_000_000))).toEqual({ errors: '', status: 0 });
  }, 60_000);
});

describe('npm run audit -- replay', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS });
    const tenant = await deployment.operator.tenant({ credits: 1_000 });
    await ingestAll(
      deployment.http,
      tenant,
      Array.from({ length: 400 }, (_, index) => person(81_000 + index)),
    );
  }, 90_000);

  afterAll(() => deployment.stop());

  const replay = (format: string): Child =>
    start([built('src/cli.js'), 'audit', 'replay', '--operator', 'tests', '--format', format], deployment.env);

  it.each<[string, (events: number) => number]>([
    ['json', (events) => events],
    ['csv', (events) => events + 1],
    ['text', (events) => 2 * events],
  ])(
    'reaches a slow reader whole as %s, and says how many events there are',
    async (format, linesOf) => {
      const { lines, errors, status } = await readSlowly(replay(format), () => 50);
      const [, count] = /^(\d+) events$/m.exec(errors) ?? [];
      expect([status, lines]).toEqual([0, linesOf(Number(count))]);
      expect(lines).toBeGreaterThan(400);
    },
    90_000,
  );

  it('reads no further than its reader does', async () => {
    const child = replay('json');
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await sleep(5_000);
    expect(errors).toBe('');
    child.stdout.resume();
    await eventually('the last event', () => /^\d+ events$/m.test(errors));
  }, 60_000);

  it('ends in silence where its reader has gone away', async () => {
    expect(await readBeginning(replay('json'))).toEqual({ errors: '', status: 0 });
  }, 60_000);
});
