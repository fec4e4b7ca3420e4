import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { containersAllowed, spawnContained } from '../support/containers.js';
import { postmasterOf, processesOf } from '../support/faults/process-tree.js';
import { demoCredits, runningService } from '../support/running-service.js';
import { eventually, newDataDir, sleep, spawnService, type TestProcess } from '../support/stack.js';

const READY = { service: 'A first call:', node: '"ready":true' } as const;
const IN_USE = 'is in use by another process';

/** The program, the event-store node, and the keepers, which would end Postgres. */
const ALL_BUT_POSTGRES = /^\S*node |^\/bin\/sh |^sleep 0/;

const serverOf = (dataDir: string): number => postmasterOf(join(dataDir, 'postgres'));

const ready = (what: keyof typeof READY, program: TestProcess): Promise<unknown> =>
  eventually(what, () => program.output.includes(READY[what]), 60_000).catch((error: unknown) => {
    throw new Error(program.output, { cause: error });
  });

const refusal = async (program: TestProcess): Promise<string> => {
  const refused = (): boolean => !program.running || program.output.includes('ended with status 1');
  await eventually('the refusal', refused, 30_000).finally(() => program.kill9());
  return program.output;
};

/** One for all: each test leaves it running. */
const service = runningService();

const hasBalance = (): Promise<unknown> =>
  eventually('a balance', async () => (await demoCredits(service)) === 1_000, 30_000);

const killAll = (dataDir: string, which: RegExp = /./): void => {
  for (const { pid, command } of processesOf(dataDir)) if (which.test(command)) process.kill(pid, 'SIGKILL');
};

const lockFile = (): string => join(service.dataDir, 'postgres', 'postmaster.pid');

if (!containersAllowed) process.stderr.write('SKIPPED: one folder for two containers (needs root and unshare)\n');

(containersAllowed ? describe : describe.skip)('one data folder for two containers (needs root and unshare)', () => {
  it.each(['service', 'node'] as const)(
    'refuses a second %s, and the first one goes on',
    async (program) => {
      const second = spawnContained(program, { DATA_DIR: service.dataDir, PORT: '0', EVENTSTORE_PORT: '0' });
      expect(await refusal(second)).toContain(IN_USE);
      await hasBalance();
    },
    90_000,
  );

  it('refuses a second one beside a first that is stopped, and that goes on when it is woken', async () => {
    service.pause();
    const output = await refusal(spawnContained('service', { DATA_DIR: service.dataDir, PORT: '0' }));
    service.resume();
    expect(output).toContain(IN_USE);
    await hasBalance();
  }, 90_000);

  it('starts by itself after the container of the earlier one was killed, but not beside a Postgres that one left running', async () => {
    await service.kill9();
    await eventually('the end of its children', () => processesOf(service.dataDir).length === 0, 6_000);
    const contained = (): TestProcess => spawnContained('service', { DATA_DIR: service.dataDir, PORT: '0' });
    const first = contained();
    await ready('service', first);
    await first.kill9();
    expect(existsSync(lockFile())).toBe(true);

    const second = contained();
    await ready('service', second);
    const server = serverOf(service.dataDir);
    killAll(service.dataDir, ALL_BUT_POSTGRES);
    const lock = readFileSync(lockFile(), 'utf8');
    expect(await refusal(contained())).toContain('A Postgres of an earlier start still uses');
    expect(readFileSync(lockFile(), 'utf8')).toBe(lock);
    expect(server).toBe(Number(lock.split('\n')[0]));
    await second.kill9();
    await service.restart();
    await hasBalance();
  }, 180_000);
});

describe('what an earlier start left in the data folder', () => {
  const bystanders: ChildProcess[] = [];
  afterEach(() => {
    for (const bystander of bystanders.splice(0)) bystander.kill('SIGKILL');
  });

  it('is no obstacle when all of it was killed at once and the process id belongs to another program, unlike a Postgres that was started by hand', async () => {
    expect(processesOf(service.dataDir).length).toBeGreaterThan(4);
    killAll(service.dataDir);
    await service.ended();
    const lock = readFileSync(lockFile(), 'utf8').replace(/^\d+/, String(process.pid));

    const byHand = `4711\n${service.dataDir}/postgres\n1700000000\n5432\n\n127.0.0.1\n  1234567 1\nready   \n`;
    writeFileSync(lockFile(), byHand);
    const refused = spawnService({ DATA_DIR: service.dataDir, PORT: '0' });
    expect(await refused.ended()).toBe(1);
    expect(refused.output).toContain(`delete the file ${lockFile()}`);
    expect(readFileSync(lockFile(), 'utf8')).toBe(byHand);

    writeFileSync(lockFile(), lock);
    await service.restart();
    await hasBalance();
  }, 120_000);

  it('is ended where it hangs, and nobody else who is in its folder', async () => {
    const bystander = spawn('sleep', ['600'], { cwd: join(service.dataDir, 'postgres'), stdio: 'ignore' });
    bystanders.push(bystander);
    const server = serverOf(service.dataDir);
    process.kill(server, 'SIGSTOP');
    killAll(service.dataDir, ALL_BUT_POSTGRES);
    await service.ended();
    await service.restart();
    await hasBalance();
    expect(serverOf(service.dataDir)).not.toBe(server);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  }, 120_000);

  it('is one winner of many that start at once', async () => {
    const dataDir = newDataDir();
    const rivals = Array.from({ length: 4 }, () => spawnService({ DATA_DIR: dataDir, PORT: '0' }));
    await eventually('all but one to end', () => rivals.filter(({ running }) => running).length === 1, 30_000);
    const [winner] = rivals.filter(({ running }) => running);
    if (winner === undefined) throw new Error('nobody is left');
    await ready('service', winner);
    for (const loser of rivals.filter((rival) => rival !== winner)) expect(loser.output).toContain(IN_USE);
    await winner.stop();
    rmSync(dataDir, { recursive: true });
  }, 120_000);
});

describe.each(['event-store node', 'Postgres'] as const)('an embedded %s that somebody signals', (part) => {
  const pidOf = (): number =>
    part === 'Postgres'
      ? serverOf(service.dataDir)
      : (processesOf(service.dataDir).find(({ command }) => command.includes('event-store-node/dist/main.js'))?.pid ??
        0);

  it.each(['SIGTERM', 'SIGINT', 'SIGQUIT'] as const)(
    'with %s is started again',
    async (signal) => {
      const before = await eventually('its process', () => pidOf());
      process.kill(before, signal);
      await eventually('another process', () => ![0, before].includes(pidOf()), 20_000);
      await hasBalance();
    },
    90_000,
  );

  it('with SIGSTOP goes on at SIGCONT', async () => {
    const before = await eventually('its process', () => pidOf());
    process.kill(before, 'SIGSTOP');
    await sleep(3_000);
    process.kill(before, 'SIGCONT');
    await hasBalance();
    expect(pidOf()).toBe(before);
  }, 60_000);
});
