import { fork } from 'node:child_process';

/** A message of a helper process: `measuring` at the start of the measurement, `result` or `error` as the last one. */
interface Word<Result> {
  readonly measuring?: boolean;
  readonly result?: Result;
  readonly error?: string;
}

/**
 * Runs a job in a new process and returns its result. `path` is the module within bench/, without extension. The process is
 * killed after `withinSeconds`. Rejects where it ends without a result.
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
