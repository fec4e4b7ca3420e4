import { invalidArgument } from '../protocol/errors.js';
import { matcher } from './pattern.js';

export interface FilterOptions {
  readonly on: 'stream' | 'type';
  readonly regex: string;
  readonly prefixes: readonly string[];
  /** Number of examined events before a read pauses, and the unit of the checkpoint interval. */
  readonly window: number;
  readonly multiplier: number;
}

export interface EventFilter {
  readonly on: 'stream' | 'type';
  readonly matches: (value: string) => boolean;
  /** Number of examined events, matching or not, from one checkpoint to the next. */
  readonly checkpointInterval: number;
}

export function eventFilter({ on, regex, prefixes, window, multiplier }: FilterOptions): EventFilter {
  if (multiplier <= 0) throw invalidArgument('the checkpoint interval must be greater than 0');
  if (window <= 0) throw invalidArgument('the search window must be greater than 0');
  return { on, matches: predicate(regex, prefixes), checkpointInterval: window * multiplier };
}

function predicate(regex: string, prefixes: readonly string[]): (value: string) => boolean {
  if (regex !== '') return matcher(regex);
  return (value) => prefixes.some((prefix) => value.startsWith(prefix));
}
