import { type ListEntry } from '../../src/screening/domain/list-entry.js';
import { type EngineSource } from '../../src/screening/matching/engine-messages.js';
import { EngineThread } from '../../src/screening/matching/engine-thread.js';
import { type Thresholds } from '../../src/screening/matching/list-engine.js';
import { isSearchable } from '../../src/screening/matching/normalise.js';
import { entriesOf } from './data.js';
import { PERTURBATIONS, pick, type Random, seeded } from './perturbations.js';

const CHECKS = 2_000;
const AT_ONCE = 32;
const BRUTE = 20;
const FUZZED = 500;

/** Jaro-Winkler of two texts, 0–1. */
const jaroWinkler = (a: string, b: string): number => {
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Uint8Array(b.length);
  const ours: string[] = [];
  for (let index = 0; index < a.length; index += 1) {
    const end = Math.min(b.length, index + reach + 1);
    for (let other = Math.max(0, index - reach); other < end; other += 1) {
      if (taken[other] === 1 || a[index] !== b[other]) continue;
      taken[other] = 1;
      ours.push(a[index] ?? '');
      break;
    }
  }
  const theirs = [...b].filter((_, index) => taken[index] === 1);
  const same = ours.length;
  if (same === 0) return 0;
  const swaps = ours.filter((letter, index) => letter !== theirs[index]).length / 2;
  const jaro = (same / a.length + same / b.length + (same - swaps) / same) / 3;
  let prefix = 0;
  while (prefix < 4 && a[prefix] === b[prefix] && prefix < a.length) prefix += 1;
  return jaro + prefix * 0.1 * (1 - jaro);
};

const timed = async (work: () => Promise<unknown> | number): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

const sorted = (times: readonly number[]): number[] => [...times].sort((a, b) => a - b);

/** 512 random characters of any script. */
const fuzz = (random: Random, spaces = 0.2): string =>
  Array.from({ length: 512 }, () =>
    random() < spaces ? ' ' : String.fromCodePoint(Math.floor(random() * (random() < 0.5 ? 0x500 : 0xd7ff))),
  ).join('');

const LETTER = /\p{L}/u;

const randomLetter = (random: Random): string => {
  for (;;) {
    const letter = String.fromCodePoint(Math.floor(random() * (random() < 0.5 ? 0x500 : 0xd7ff)));
    if (LETTER.test(letter)) return letter;
  }
};

/** 512 random letters of any script in as many words as a check takes. A longer name is refused. */
const fuzzOfCheck = (random: Random): string => {
  for (;;) {
    const name = Array.from({ length: 512 }, (_, index) => (index % 36 === 35 ? ' ' : randomLetter(random))).join('');
    if (isSearchable(name)) return name;
  }
};

const both = (times: readonly number[]): string => {
  const order = sorted(times);
  return `${quantile(order, 0.5).toFixed(1)} / ${quantile(order, 1).toFixed(1)} ms`;
};

const queriesFrom = (entries: readonly ListEntry[], random: Random): string[] =>
  Array.from({ length: CHECKS }, () => {
    const name = pick(entries, random).names[0]?.text ?? '';
    return PERTURBATIONS['one typo'](name, random) ?? name;
  });

/** What a check costs in the thread that serves it, beside a comparison with every name. */
export const measureSpeed = async (sources: readonly EngineSource[], thresholds: Thresholds): Promise<string[]> => {
  const random = seeded(1);
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const thread = await EngineThread.start({ sources, thresholds });
  const [load, memory] = [performance.now() - start, process.memoryUsage().rss - before];
  const lists = sources.filter(({ kind }) => kind === 'sanctions');
  const entries = (await Promise.all(lists.map(entriesOf))).flat();
  const queries = queriesFrom(entries, random);
  const check = (fullName: string) => thread.ask({ ask: 'screen', kind: 'sanctions', query: { fullName } });
  for (const query of queries.slice(0, 300)) await check(query);
  const alone: number[] = [];
  for (const query of queries) alone.push(await timed(() => check(query)));
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < queries.length) {
      next += 1;
      await check(queries[next - 1] ?? '');
    }
  };
  const together = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
  const names = entries.flatMap((entry) => entry.names.map(({ text }) => text.toLowerCase()));
  const brute: number[] = [];
  for (const query of queries.slice(0, BRUTE)) {
    const plain = query.toLowerCase();
    brute.push(await timed(() => names.reduce((best, name) => Math.max(best, jaroWinkler(plain, name)), 0)));
  }
  const [fuzzed, fuzzedLong]: [number[], number[]] = [[], []];
  for (let index = 0; index < FUZZED; index += 1) fuzzed.push(await timed(() => check(fuzzOfCheck(random))));
  for (let index = 0; index < FUZZED; index += 1) fuzzedLong.push(await timed(() => check(fuzz(random))));
  thread.close();
  const [times, bruteTimes] = [sorted(alone), sorted(brute)];
  const p50 = quantile(times, 0.5);
  return [
    `names of the sanctions lists          ${names.length}`,
    `all lists loaded in                   ${(load / 1_000).toFixed(1)} s`,
    `memory of the thread                  ${Math.round(memory / 1e6)} MB`,
    `one at a time, p50 / p99              ${p50.toFixed(2)} / ${quantile(times, 0.99).toFixed(2)} ms`,
    `${AT_ONCE} at once                            ${Math.round((1_000 * queries.length) / together)} checks/s`,
    `brute-force Jaro-Winkler, p50         ${quantile(bruteTimes, 0.5).toFixed(1)} ms (${Math.round(quantile(bruteTimes, 0.5) / p50)} times a check)`,
    `512 letters in 15 words, p50 / slowest ${both(fuzzed)}`,
    `512 characters in a hundred words     ${both(fuzzedLong)} (no check takes them)`,
  ];
};
