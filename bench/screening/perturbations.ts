/** A sequence of numbers from 0 to 1 that is the same in every run (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export type Random = ReturnType<typeof seeded>;

export const pick = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

/** Gives undefined for a name that cannot be changed so. */
export type Perturbation = (name: string, random: Random) => string | undefined;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const wordsOf = (name: string): string[] => name.split(/[\s-]+/).filter((word) => word !== '');

/** One letter of a word of four or more letters is left out, doubled, exchanged with its neighbour or another one. */
const typo: Perturbation = (name, random) => {
  const words = wordsOf(name);
  const long = words.flatMap((word, index) => (/^\p{L}{4,}$/u.test(word) ? [index] : []));
  if (long.length === 0) return undefined;
  const index = pick(long, random);
  const letters = [...(words[index] ?? '')];
  const at = 1 + Math.floor(random() * (letters.length - 2));
  const kind = Math.floor(random() * 4);
  if (kind === 0) letters.splice(at, 1);
  if (kind === 1) letters.splice(at, 0, pick([...LETTERS], random));
  if (kind === 2) letters[at] = pick([...LETTERS], random);
  if (kind === 3) letters.splice(at, 2, letters[at + 1] ?? '', letters[at] ?? '');
  words[index] = letters.join('');
  return words.join(' ');
};

const twoTypos: Perturbation = (name, random) => {
  const once = typo(name, random);
  return once && typo(once, random);
};

/** Case, accents, punctuation and spacing. */
const surface: Perturbation = (name, random) => {
  const plain = name.normalize('NFD').replace(/\p{Mn}/gu, '');
  const cased = random() < 0.5 ? plain.toUpperCase() : plain.toLowerCase();
  return cased
    .replace(/['’`]/g, '')
    .replace(/-/g, ' ')
    .replace(/ /g, random() < 0.3 ? '  ' : ' ');
};

const reordered: Perturbation = (name) => {
  const words = wordsOf(name);
  return words.length < 2 ? undefined : [words.at(-1), ...words.slice(0, -1)].join(' ');
};

const joined: Perturbation = (name, random) => {
  const words = wordsOf(name);
  if (words.length < 2) return undefined;
  const at = Math.floor(random() * (words.length - 1));
  return [...words.slice(0, at), `${words[at] ?? ''}${words[at + 1] ?? ''}`, ...words.slice(at + 2)].join(' ');
};

const droppedMiddle: Perturbation = (name, random) => {
  const words = wordsOf(name);
  if (words.length < 3) return undefined;
  words.splice(1 + Math.floor(random() * (words.length - 2)), 1);
  return words.join(' ');
};

const initials: Perturbation = (name) => {
  const [first, ...rest] = wordsOf(name);
  return first === undefined || rest.length === 0 ? undefined : [`${first.slice(0, 1)}.`, ...rest].join(' ');
};

const allInitials: Perturbation = (name) => {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || words.length < 2) return undefined;
  return [...words.slice(0, -1).map((word) => `${word.slice(0, 1)}.`), last].join(' ');
};

const oneWord: Perturbation = (name) => {
  const words = wordsOf(name);
  return words.length < 2 ? undefined : words.join('');
};

const firstAndLast: Perturbation = (name) => {
  const words = wordsOf(name);
  return words.length < 3 ? undefined : [words[0], words.at(-1)].join(' ');
};

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/kh/gi, 'h'],
  [/zh/gi, 'j'],
  [/y/gi, 'i'],
  [/ou/gi, 'u'],
  [/q/gi, 'k'],
  [/w/gi, 'v'],
  [/ph/gi, 'f'],
  [/oo/gi, 'u'],
  [/ee/gi, 'i'],
  [/ks/gi, 'x'],
  [/(.)\1/gi, '$1'],
  [/dh/gi, 'd'],
  [/mohammed|muhammad|mohamed/gi, 'Mohamad'],
];

/** Every spelling of one system is written by another. */
const transliterated: Perturbation = (name) => {
  const changed = SPELLINGS.reduce((text, [spelling, other]) => text.replace(spelling, other), name);
  return changed === name ? undefined : changed;
};

const CYRILLIC: readonly (readonly [string, string])[] = [
  ['shch', 'щ'],
  ['sch', 'щ'],
  ['zh', 'ж'],
  ['kh', 'х'],
  ['ts', 'ц'],
  ['ch', 'ч'],
  ['sh', 'ш'],
  ['yu', 'ю'],
  ['ya', 'я'],
  ['iy', 'ий'],
  ['yy', 'ый'],
  ['ye', 'е'],
  ['yo', 'ё'],
  ['a', 'а'],
  ['b', 'б'],
  ['c', 'к'],
  ['d', 'д'],
  ['e', 'е'],
  ['f', 'ф'],
  ['g', 'г'],
  ['h', 'х'],
  ['i', 'и'],
  ['j', 'й'],
  ['k', 'к'],
  ['l', 'л'],
  ['m', 'м'],
  ['n', 'н'],
  ['o', 'о'],
  ['p', 'п'],
  ['q', 'к'],
  ['r', 'р'],
  ['s', 'с'],
  ['t', 'т'],
  ['u', 'у'],
  ['v', 'в'],
  ['w', 'в'],
  ['x', 'кс'],
  ['y', 'ы'],
  ['z', 'з'],
  ["'", 'ь'],
];

/** The name as a Russian office would write it back. */
export const inCyrillic: Perturbation = (name) => {
  let rest = name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  let text = '';
  while (rest !== '') {
    // A y at the end of a word, or behind a vowel, is й.
    const final = /^y(?![a-z])/.test(rest) || (/[аеиоуыэюя]$/.test(text) && /^y(?![aoue])/.test(rest));
    const [latin, cyrillic] = final
      ? ['y', 'й']
      : (CYRILLIC.find(([key]) => rest.startsWith(key)) ?? [rest[0] ?? '', rest[0] ?? '']);
    text += cyrillic;
    rest = rest.slice(latin.length);
  }
  return text;
};

export const PERTURBATIONS = {
  unchanged: (name) => name,
  perturbed: surface,
  'one typo': typo,
  'two typos': twoTypos,
  reordered,
  joined,
  'whole name as one word': oneWord,
  'dropped middle': droppedMiddle,
  'first and last only': firstAndLast,
  'an initial': initials,
  'all initials': allInitials,
  transliteration: transliterated,
} satisfies Readonly<Record<string, Perturbation>>;
