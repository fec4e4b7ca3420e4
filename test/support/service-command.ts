import { spawn } from 'node:child_process';
import { bareEnvironment, built } from './built.js';

/** What a command line did. */
export interface Ran {
  /** Null if it did not end in time. */
  readonly status: number | null;
  readonly stdout: string;
  /** Of stdout and stderr together. */
  readonly output: string;
}

export interface CommandOptions {
  /** The command line of a release, by default of this one. */
  readonly program?: string;
  /** Milliseconds after which it is killed. */
  readonly timeout?: number;
}

/** Runs `npm run <words>` on the stores that the variables name, until its output has ended. */
export const runCommand = (
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { program = built('src/cli.js'), timeout }: CommandOptions = {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], {
      env: { ...bareEnvironment(), ...env },
      timeout,
      killSignal: 'SIGKILL',
    });
    let [stdout, output] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject).on('close', (status) => resolve({ status, stdout, output }));
  });
