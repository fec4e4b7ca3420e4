import { RE2JS } from 're2js';
import { invalidArgument } from '../protocol/errors.js';

const MAX_PATTERN = 4_096;
const MAX_COUNTED_REPETITIONS = 10;
const MAX_PROGRAM = 2_000;

/**
 * Builds the test of a client's pattern. Every pattern runs on the one thread that serves all clients. Its time must stay
 * proportional to the value's length. A plain pattern runs on JavaScript's engine, all others on a linear one.
 */
export function matcher(pattern: string): (value: string) => boolean {
  const expression = isPlain(pattern) ? compile(() => new RegExp(pattern)) : linear(pattern);
  return (value) => expression.test(value);
}

function linear(pattern: string): RE2JS {
  if (pattern.length > MAX_PATTERN || pattern.split('{').length - 1 > MAX_COUNTED_REPETITIONS) throw tooLarge();
  const compiled = compile(() => RE2JS.compile(pattern));
  if (compiled.programSize() > MAX_PROGRAM) throw tooLarge();
  return compiled;
}

function compile<Engine>(engine: () => Engine): Engine {
  try {
    return engine();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`the filter is not a regular expression of RE2 syntax: ${reason}`);
  }
}

const tooLarge = () => invalidArgument('the regular expression of the filter is too large');

const MAX_PLAIN = 100;
const ATOM = String.raw`\\[dDsSwW]|\\[^\dA-Za-z]|\[\^?(?:\\[dDsSwW]|\\[^\dA-Za-z]|[^\\\][])+\]|[^\\^$|?*+(){}[\]]`;
const TOKEN = new RegExp(String.raw`${ATOM}|\(\?[:=!]|[\^$|?*+()]`, 'gsy');

/** The elements found so far in one alternative of a pattern. */
interface Branch {
  anchored: boolean;
  repeats: boolean;
  chooses: boolean;
}

/**
 * A plain pattern has few ways to match. Each alternative has at most one choice among words. An alternative that is bound to
 * the beginning may also have one repetition. Repetitions are not nested and do not stand beside another.
 */
export function isPlain(pattern: string): boolean {
  const tokens = pattern.length > MAX_PLAIN ? [] : (pattern.match(TOKEN) ?? []);
  if (tokens.join('') !== pattern) return false;
  let branch: Branch | undefined;
  let group: string | undefined;
  let previous = '|';
  for (const [index, token] of tokens.entries()) {
    const begins = branch === undefined;
    branch ??= { anchored: false, repeats: false, chooses: false };
    if (token === '|') branch = group === undefined ? undefined : branch;
    else if (token === '^') {
      if (!begins) return false;
      branch.anchored = true;
    } else if (token === '$') {
      if (group !== undefined || (tokens[index + 1] ?? '|') !== '|') return false;
    } else if (token === ')') {
      if (group === undefined) return false;
      group = undefined;
    } else if (token.startsWith('(')) {
      const chooses = token === '(' || token === '(?:';
      if (group !== undefined || (chooses && branch.chooses)) return false;
      branch.chooses ||= chooses;
      group = token;
    } else if (QUANTIFIERS.has(token)) {
      const repeatable = branch.anchored && !branch.repeats && group === undefined;
      if (!repeatable || NOT_REPEATABLE.has(previous)) return false;
      branch.repeats = true;
    }
    previous = token;
  }
  return group === undefined;
}

const QUANTIFIERS = new Set(['*', '+', '?']);
const NOT_REPEATABLE = new Set(['|', '^', '(', '(?:', ')', '*', '+', '?']);
