import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ListEntry } from '../../src/screening/domain/list-entry.js';
import { tokensOf } from '../../src/screening/matching/normalise.js';
import { wordOf } from '../../src/screening/matching/word.js';
import { entriesOf, sourcesIn } from './data.js';

/** Entries that have a word at least. Rarer ones are all taken for as rare. */
const FEWEST = 5;
const WIDTH = 200;

/** Entries by each word that they have in any name: a word is not common because one entry has many aliases. */
const countsOf = (entries: readonly ListEntry[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { names } of entries) {
    const words = new Set(names.flatMap(({ text }) => tokensOf(text).map((token) => wordOf(token).forms[0]?.folded)));
    for (const word of words) if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
};

const lines = (counts: ReadonlyMap<string, number>): string[] => {
  const common = [...counts].filter(([, count]) => count >= FEWEST);
  const kinds = [...new Set(common.map(([, count]) => count))].sort((one, other) => other - one);
  return kinds.flatMap((kind) => {
    const begun: string[] = [];
    for (const word of common.flatMap(([text, count]) => (count === kind ? [text] : [])).sort()) {
      const line = begun.at(-1);
      if (line === undefined || line.length + word.length >= WIDTH) begun.push(`${kind} ${word}`);
      else begun[begun.length - 1] = `${line} ${word}`;
    }
    return begun;
  });
};

const { values } = parseArgs({ options: { data: { type: 'string' } }, strict: false });
const folder = String(values.data ?? join(process.cwd(), '..', 'shared', 'data', 'screening'));
const entries = (await Promise.all(((await sourcesIn(folder)) ?? []).map(entriesOf))).flat();
if (entries.length === 0) throw new Error(`There are no lists in ${folder}; name their folder by --data.`);
const text = `// Written by \`npm run screening:train\` from the lists of OFAC, the EU and the UN and from office holders.

/** Entries that were counted. */
export const ENTRIES = ${entries.length};

/** Words of names, folded, behind the number of entries that have them. */
export const COMMON_WORDS = \`
${lines(countsOf(entries)).join('\n')}
\`;
`;
writeFileSync(join(process.cwd(), 'src/screening/matching/common-words.ts'), text);
console.log(`counted the words of ${entries.length} entries`);
