import { type NoticeDays } from '../../kernel/expiry-notices.js';
/** One environment variable: the values that it accepts, its purpose, and how its text is parsed. */
export interface Variable<Value> {
  readonly name: string;
  /** Completes the sentence "NAME takes …". */
  readonly takes: string;
  /** Its effect, for the person who configures a deployment. */
  readonly purpose: string;
  /** The text that is taken where the variable is absent. Undefined if absence has a meaning of its own. */
  readonly fallback: string | undefined;
  /** A text to copy from, if there is no fallback. */
  readonly example?: string;
  /** Its value is never shown. */
  readonly secret?: boolean;
  /** Undefined if the variable does not accept the text. */
  readonly parse: (text: string) => Value | undefined;
  /** What is wrong with a text that a person may well have meant so. Says nothing of the text itself. */
  readonly mistake?: (text: string) => string | undefined;
}

type Description<Value> = Omit<Variable<Value>, 'takes' | 'parse' | 'fallback'>;
type WithFallback<Value> = Description<Value> & { readonly fallback: string };

const WHOLE_NUMBER = /^\d{1,15}$/;

const oneOf =
  <Choice extends string>(choices: readonly Choice[]) =>
  (text: string): Choice | undefined =>
    choices.find((choice) => choice === text);

export const choice = <Choice extends string>(
  choices: readonly Choice[],
  description: WithFallback<Choice>,
): Variable<Choice> => ({ ...description, takes: choices.join(' or '), parse: oneOf(choices) });

export const flag = (description: Omit<Variable<boolean>, 'takes' | 'parse'>): Variable<boolean> => ({
  ...description,
  takes: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
});

export const wholeNumber = (
  lowest: number,
  highest: number,
  unit: string,
  description: Omit<Variable<number>, 'takes' | 'parse'>,
): Variable<number> => ({
  ...description,
  takes: `${unit}, a whole number from ${lowest} to ${highest}`,
  parse: (text) => {
    const value = WHOLE_NUMBER.test(text) ? Number(text) : Number.NaN;
    return value >= lowest && value <= highest ? value : undefined;
  },
});

/** Between 0 and 1. */
export const fraction = (description: WithFallback<string>): Variable<number> => ({
  ...description,
  takes: 'a number from 0.5 to 1, such as 0.85',
  parse: (value) => {
    const number = /^(0?\.\d{1,4}|0|1(\.0{1,4})?)$/.test(value) ? Number(value) : Number.NaN;
    return number >= 0.5 && number <= 1 ? number : undefined;
  },
});

export const milliseconds = (name: string, fallback: number, purpose: string): Variable<number> =>
  wholeNumber(1, 3_600_000, 'milliseconds', { name, fallback: String(fallback), purpose });

/** From 0 to 1. */
export const share = (description: WithFallback<string>): Variable<number> => ({
  ...description,
  takes: 'a number from 0 to 1, such as 0.05',
  parse: (value) => (/^(0?\.\d{1,6}|0|1(\.0{1,6})?)$/.test(value) ? Number(value) : undefined),
});

const NOTICE_DAYS = /^([1-9]\d{0,2}),\s*([1-9]\d{0,2})$/;

export const noticeDays = (description: WithFallback<string>): Variable<NoticeDays> => ({
  ...description,
  takes: 'two whole numbers of days from 1 to 365 with a comma between them, the larger one first',
  parse: (value) => {
    const [, first = 0, last = 0] = (NOTICE_DAYS.exec(value) ?? []).map(Number);
    return first <= 365 && first > last && last > 0 ? { first, last } : undefined;
  },
});

export const text = (takes: string, description: Omit<Variable<string>, 'takes' | 'parse'>): Variable<string> => ({
  ...description,
  takes,
  parse: (value) => value,
});

/** A text of this form. */
export const matching = (
  form: RegExp,
  takes: string,
  description: Omit<Variable<string>, 'takes' | 'parse'>,
): Variable<string> => ({ ...description, takes, parse: (value) => (form.test(value) ? value : undefined) });

const parsesAsUrl = (value: string, schemes: readonly string[]): boolean => {
  const scheme = schemes.find((name) => value.startsWith(`${name}://`));
  // Node cannot parse host lists such as esdb://a:2113,b:2113 as URLs, so one host represents all.
  return scheme !== undefined && URL.canParse(`http://${value.slice(scheme.length + 3).replace(/,[^/?]*/, '')}`);
};

const AUTHORITY = /^[a-z+]+:\/\/([^/?#]*)(.*)$/s;

/** A password may end the host too early: one with / ? or # does, and clients disagree about one with @. */
const unencodedPassword = (value: string): string | undefined => {
  const [, authority = '', rest = ''] = AUTHORITY.exec(value) ?? [];
  const marks = authority.split('@').length - 1;
  // An @ in the value of a parameter is none of a password: ?user=kyc@server.
  const endsEarly = marks === 0 && authority.includes(':') && /^[^@]*@/.test(rest) && !/\?[^@]*=[^@]*@/.test(rest);
  return marks > 1 || endsEarly ? 'has a password with @, /, ? or # as it is: write %40, %2F, %3F and %23' : undefined;
};

/** A web address has no password, and its path may have an @. */
const mistakeIn = (schemes: readonly string[], value: string): string | undefined =>
  schemes.includes('https') ? undefined : unencodedPassword(value);

export const url = (
  schemes: readonly string[],
  description: Description<string> & { readonly example: string },
): Variable<string> => ({
  ...description,
  fallback: undefined,
  takes: `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  parse: (value) => (parsesAsUrl(value, schemes) && mistakeIn(schemes, value) === undefined ? value : undefined),
  mistake: (value) => mistakeIn(schemes, value),
});

/** Texts of one form, separated by commas; none by default. */
export const listMatching = (
  form: RegExp,
  takes: string,
  description: Omit<Variable<ReadonlySet<string>>, 'takes' | 'parse'>,
): Variable<ReadonlySet<string>> => ({
  ...description,
  takes: `${takes}, separated by commas`,
  parse: (value) => {
    const parts = value === '' ? [] : value.split(',').map((part) => part.trim());
    return parts.every((part) => form.test(part)) ? new Set(parts) : undefined;
  },
});

export const listOf = <Choice extends string>(
  choices: readonly Choice[],
  description: WithFallback<ReadonlySet<Choice>>,
): Variable<ReadonlySet<Choice>> => ({
  ...description,
  takes: `one or more of ${choices.join(', ')}, separated by commas`,
  parse: (value) => {
    const parts = value.split(',').map((part) => oneOf(choices)(part.trim()));
    return parts.some((part) => part === undefined) ? undefined : new Set(parts as Choice[]);
  },
});
