import { type Command } from 'commander';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type OperatorContext } from '../accounts/http/command-metadata.js';
import { systemClock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { toFailure } from '../http/failure.js';
import { namesOf, type Shape, validate } from '../http/validate.js';
import { type AccountsCommandContext } from './accounts-context.js';
import { fields } from './columns.js';
import { type Work } from './command-line.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

/** What every command takes, beside what it needs itself. */
export interface Options extends Attribution {
  readonly reveal?: boolean;
  readonly json?: boolean;
}

export type Given = Options & Readonly<Record<string, unknown>>;

/** What is done, and how a person reads the answer; `--json` prints the answer as the API gives it. */
export interface Plan<Answer> {
  readonly tenant: TenantId | null;
  readonly act: (context: AccountsCommandContext, begun: OperatorContext) => Promise<Answer>;
  readonly lines: (answer: Answer) => readonly string[];
  /** Rows answer, which follow the log. */
  readonly ofRows?: boolean;
}

export const flagOf = (field: string): string => `--${field.replaceAll('_', '-')}`;
export const optionOf = (field: string): string =>
  field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The body or query that the API takes, from the options of the same names, by the rules of the API. */
export const fieldsOf = <Body extends object>(shape: Shape<Body>, given: Given, chosen: Command): Body => {
  const raw = Object.fromEntries([...namesOf(shape)].map((name) => [name, given[optionOf(name)]]));
  const { value, faults } = validate(shape, raw, systemClock, 'text');
  if (faults === undefined) return value;
  return chosen.error(faults.map(({ field, detail }) => `error: ${flagOf(field)}: ${detail}`).join('\n'));
};

/** What to do about a refusal. */
const ADVICE: Readonly<Record<string, string>> = {
  NOT_FOUND:
    'there is no such account or key. `npm run accounts -- list --q NAME` finds accounts, `… keys list ID` an account’s keys',
  UNAVAILABLE:
    'the stores did not answer in time. A change may have been made: look at the account before you repeat it. ' +
    'An adjustment may be repeated as it is, since its --reference counts once',
};

/** A refusal says what to do; what no one foresaw stays as it is. */
const explained = (error: unknown): unknown => {
  const { status, code, detail } = toFailure(error);
  return status === 500 ? error : new StartupError(ADVICE[code] ?? detail, { cause: error });
};

const BEHIND = 'The rows stand behind the log, so this may be out of date. Is a service running?';

const carryOut = async <Answer>(
  context: AccountsCommandContext,
  action: string,
  { reveal = false, json = false, ...by }: Options,
  { tenant, act, lines, ofRows = false }: Plan<Answer>,
): Promise<readonly string[]> => {
  try {
    const isBehind = ofRows && !(await context.isCurrent());
    const answer = await context.perform({ action, tenantId: tenant, by, target: {}, reveal }, (begun) =>
      act(context, begun),
    );
    if (isBehind) process.stderr.write(`${BEHIND}\n`);
    return json ? [JSON.stringify(answer, null, 2)] : lines(answer);
  } catch (error) {
    throw explained(error);
  }
};

export type Choose = (work: Work<AccountsCommandContext>) => void;
type Perform = <Answer>(given: Options, plan: Plan<Answer>) => void;

/** A command of `npm run accounts`, with what all of them take. */
export const commandOf = (
  parent: Command,
  words: string,
  description: string,
  { print, choose }: { readonly print: (line: string) => void; readonly choose: Choose },
): { readonly command: Command; readonly perform: Perform } => {
  const command = parent.command(words).description(description);
  const path = parent.parent === null ? command.name() : `${parent.name()} ${command.name()}`;
  command
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .option('--reveal', 'show contacts, reasons and names of keys')
    .option('--json', 'print the answer as the API gives it');
  const perform: Perform = (given, plan) => {
    const action = `npm run accounts -- ${path}${given.reveal === true ? ' --reveal' : ''}`;
    choose(async (context) => {
      for (const line of await carryOut(context, action, given, plan)) print(line);
      return 0;
    });
  };
  return { command, perform };
};

export type Define = (words: string, description: string) => ReturnType<typeof commandOf>;

/** How a person reads one object. */
export const membersOf = (answer: object): string[] => fields({ ...answer });

export const SHOWN_ONCE = 'Keep the key now: nothing shows it again.';
