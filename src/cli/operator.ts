import { InvalidArgumentError } from 'commander';
import { userInfo } from 'node:os';
import { readEnvironment } from '../platform/config/load-config.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';

const textOf =
  (what: string) =>
  (text: string): string => {
    if (text.trim() !== '') return text;
    throw new InvalidArgumentError(`It takes ${what}.`);
  };
const reason = textOf('a reason');

/** Who does it, and why. */
export interface Attribution {
  readonly operator?: string;
  readonly justification?: string;
}

/** The options of every command that the operators' log records. */
export const OPERATOR = [
  '--operator <name>',
  'who does this, for the operators’ log (default: $OPERATOR, else your login name)',
  textOf('a name'),
] as const;
export const JUSTIFICATION = ['--justification <text>', 'why, for the operators’ log', reason] as const;
/** Of an act whose reason stands unsealed in the log. */
export const OPEN_JUSTIFICATION = [
  '--justification <text>',
  'why; readable in the log, so name no person',
  reason,
] as const;

/** Of the environment, else of the operating system. */
export const loginName = (): string => {
  const { OPERATOR: named = '' } = readEnvironment();
  if (named.trim() !== '') return named;
  try {
    return userInfo().username;
  } catch {
    throw new StartupError('this user has no name here: say --operator NAME, for the operators’ log');
  }
};
