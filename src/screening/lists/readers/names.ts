import { type ListedName } from '../../domain/list-entry.js';

const LATIN = /\p{Script=Latin}/u;
const OTHER = /[\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Greek}]/u;
const IN_BRACKETS = /^(.+?)\s*\(([^()]+)\)\s*$/;

/** `Ali Hasan (علي حسن)` is two names beside the one as it is written. */
const parts = ({ text, weak }: ListedName): ListedName[] => {
  const [, before = '', inside = ''] = IN_BRACKETS.exec(text) ?? [];
  const isOriginal = LATIN.test(before) && OTHER.test(inside);
  return isOriginal ? [before, inside].map((part) => ({ text: part.trim(), weak })) : [];
};

/** The names, each once, and those that stand in brackets behind others in their own script. */
export const withOriginals = (names: readonly ListedName[]): ListedName[] => {
  const all = names.flatMap((name) => [name, ...parts(name)]).filter(({ text }) => text !== '');
  return all.filter(
    ({ text, weak }, at) => all.findIndex((other) => other.text === text && other.weak === weak) === at,
  );
};
