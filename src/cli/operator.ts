import { InvalidArgumentError } from 'commander';
import { userInfo } from 'node:os';
import { StartupError } from '@kyc/embedded-runtime/startup-error';

const namedOperator = (text: string): string => {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It takes a name.');
};

/** The option of every command that the operators' log records. */
export const OPERATOR = [
  '--operator <name>',
  'who does this, for the operators’ log (default: your login name)',
  namedOperator,
] as const;

export const loginName = (): string => {
  try {
    return userInfo().username;
  } catch {
    throw new StartupError('this user has no name here: say --operator NAME, for the operators’ log');
  }
};
