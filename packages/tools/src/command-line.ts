import { Command, CommanderError, InvalidArgumentError } from 'commander';

/** Exit status of a command line that cannot be understood. */
const MISUNDERSTOOD = 2;

/** A command line that was answered at once: it asked for help or cannot be understood. */
export interface Answered {
  readonly exitStatus: number;
}

/** The command of `npm run <name>`. Its help and errors go to `print` where one is given. */
export const commandLine = (name: string, print?: (line: string) => void): Command => {
  const command = new Command(`npm run ${name} --`).exitOverride().allowExcessArguments(false).showHelpAfterError();
  const write = (text: string): void => print?.(text.trimEnd());
  return print === undefined ? command : command.configureOutput({ writeOut: write, writeErr: write });
};

/** Undefined where the words were understood. */
export const parseWords = (command: Command, words: readonly string[]): Answered | undefined => {
  try {
    command.parse(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exitStatus: error.exitCode === 0 ? 0 : MISUNDERSTOOD };
  }
};

export const wholeNumber =
  (most = Infinity) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    const range = most === Infinity ? 'above 0' : `from 1 to ${most}`;
    throw new InvalidArgumentError(`It takes a whole number ${range}.`);
  };
