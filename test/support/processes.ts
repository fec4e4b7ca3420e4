import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds between the first polls, between later ones, and those that a poll may take until a limit is stretched. */
const FIRST_POLLS = 25;
const LATER_POLLS = 50;
const UNHINDERED_POLL = 100;
/** How many times as long as on an idle machine everything may take, as the start of the run measured. */
export const SLOWNESS = Number(process.env['TEST_SLOWNESS'] ?? 1);
/** A limit is stretched to this multiple of itself at most. */
const STRETCH = 4;
/** The longest pause after a probe that itself took long. */
const MAX_PAUSE_MS = 500;

/** A probe that reads a whole log gets no more than half of the time. */
const pauseAfter = (probeTook: number, waited: number): number =>
  Math.max(waited < 1_000 ? FIRST_POLLS : LATER_POLLS, Math.min(probeTook, MAX_PAUSE_MS));

/**
 * Polls until `probe` returns a value other than undefined or false, for at most `limit` milliseconds of an idle machine. Errors
 * of the probe count as "not yet". On a machine that hardly lets it poll, it waits for as many polls as an unhindered one makes, within limits.
 */
export const eventually = async <Result>(
  what: string,
  probe: () => Promise<Result | undefined | false> | Result | undefined | false,
  limit = 25_000,
): Promise<Result> => {
  const milliseconds = limit * SLOWNESS;
  const began = performance.now();
  let last: unknown;
  for (let polls = 0; ; polls += 1) {
    const took = performance.now() - began;
    const isHindered = polls < milliseconds / UNHINDERED_POLL && took < STRETCH * milliseconds;
    if (took >= milliseconds && !isHindered) break;
    try {
      const result = await probe();
      if (result !== undefined && result !== false) return result;
    } catch (error) {
      last = error;
    }
    await sleep(pauseAfter(performance.now() - began - took, took));
  }
  throw new Error(`${what}: not within ${milliseconds} ms`, { cause: last });
};

/** Searches until nothing is found any more, for at most `milliseconds`. Returns what a last search finds after that. */
export const eventuallyNone = <Found>(
  search: () => Promise<readonly Found[]>,
  milliseconds: number,
): Promise<readonly Found[]> =>
  eventually('nothing to find', async () => (await search()).length === 0, milliseconds).then(() => [], search);

/** Milliseconds, long enough for a busy machine. The benchmark measures the start of a part on an idle one. */
export const READY_WITHIN = 240_000;

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** A child process of a test, with its signals and its output. */
export class TestProcess {
  private readonly child: ChildProcess;
  private readonly chunks: string[] = [];
  private readonly exited: Promise<number | undefined>;

  constructor(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    /** The user that it runs as, by default this one. */
    account: { readonly uid?: number; readonly gid?: number } = {},
  ) {
    this.child = spawn(command, [...args], { ...account, env, stdio: ['pipe', 'pipe', 'pipe'] });
    started.add(this.child);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.chunks.push(text));
    }
    this.exited = once(this.child, 'exit').then(
      ([status]: (number | null)[]) => {
        started.delete(this.child);
        return status ?? undefined;
      },
      (error: unknown) => {
        this.chunks.push(String(error));
        return undefined;
      },
    );
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`the process did not start:\n${this.output}`);
    return this.child.pid;
  }

  get output(): string {
    return this.chunks.join('');
  }

  get running(): boolean {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The exit status. Undefined where a signal ended the process. */
  ended(): Promise<number | undefined> {
    return this.exited;
  }

  /**
   * Sends SIGTERM, then SIGKILL after `milliseconds`. Returns the exit status, or undefined where a signal ended the process.
   */
  async stop(milliseconds = 35_000): Promise<number | undefined> {
    this.child.kill('SIGCONT');
    this.child.kill('SIGTERM');
    const overdue = setTimeout(() => this.child.kill('SIGKILL'), milliseconds);
    return this.exited.finally(() => clearTimeout(overdue));
  }

  async kill9(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }
}
