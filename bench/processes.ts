import { fork } from 'node:child_process';

/** What a helper process tells: progress under any name, `result` or `error` as its last word. */
interface Word<Result> {
  readonly measuring?: boolean;
  readonly result?: Result;
  readonly error?: string;
}

/**
 * Gives a job to a new process of the module at `path` (within bench/, without extension) and takes its result. The process
 * is ended after `withinSeconds`.
 */
export const inProcess = <Result>(
  path: string,
  job: object,
  withinSeconds: number,
  onMeasuring: (pid: number) => void = () => undefined,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const child = fork(new URL(`./${path}.js`, import.meta.url));
    const overdue = setTimeout(() => child.kill('SIGKILL'), withinSeconds * 1_000);
    child.on('message', (word: Word<Result>) => {
      if (word.measuring === true) onMeasuring(child.pid ?? 0);
      if (word.result !== undefined) resolve(word.result);
      if (word.error !== undefined) reject(new Error(`${path}: ${word.error}`));
    });
    child.once('error', reject);
    child.once('exit', (status, signal) => {
      clearTimeout(overdue);
      reject(new Error(`${path} ended without a result (${signal ?? `status ${String(status)}`})`));
    });
    child.send(job);
  });
