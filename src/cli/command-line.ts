import { Command, CommanderError } from 'commander';

/** Does what a command line asks for; answers with the exit status. */
export type Work<Context> = (context: Context) => Promise<number>;

export interface CommandLine<Context> {
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Opens what the work needs and closes it after. */
  readonly open: (work: Work<Context>) => Promise<number>;
}

const MISUNDERSTOOD = 2;

/** Runs `npm run <name> -- <words>`. Nothing is opened for a line that asks for help or cannot be understood. */
export const runCommandLine = async <Context>(
  name: string,
  words: readonly string[],
  { print, open }: CommandLine<Context>,
  define: (command: Command, choose: (work: Work<Context>) => void) => void,
): Promise<number> => {
  let chosen: Work<Context> | undefined;
  const write = (text: string): void => print(text.trimEnd());
  const command = new Command(`npm run ${name} --`)
    .usage('<command>')
    .exitOverride()
    .allowExcessArguments(false)
    .showHelpAfterError()
    .configureOutput({ writeOut: write, writeErr: write });
  define(command, (work) => {
    chosen = work;
  });
  try {
    command.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : MISUNDERSTOOD;
  }
  return chosen === undefined ? MISUNDERSTOOD : open(chosen);
};

/** Shown below the help of a command. */
export const exampleOf = (words: string): string => `\nExample:\n  npm run ${words}`;
