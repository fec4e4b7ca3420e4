import { rowsOf } from './csv-rows.js';
import { birthDateOf } from './dates.js';
import { People } from './people.js';
import { type ReadList } from './list-content.js';
import { type SourceFile } from './source.js';

const listOf = (cell: string | undefined): string[] => (cell ?? '').split(';').map((part) => part.trim());

/** targets.simple.csv says who is exposed, but not by which office: all are level_2. */
export const readTargets = async (file: SourceFile): Promise<ReadList> => {
  const people = new People();
  let seen = '';
  for await (const row of rowsOf(file)) {
    const { id = '', schema = '', name = '', aliases, birth_date: born, countries, last_seen: lastSeen = '' } = row;
    if (schema !== 'Person' || id === '') continue;
    people.name(id, name);
    for (const alias of listOf(aliases)) people.name(id, alias);
    for (const date of listOf(born)) people.born(id, birthDateOf(date));
    for (const country of listOf(countries)) people.of(id, country);
    if (lastSeen.slice(0, 10) > seen) seen = lastSeen.slice(0, 10);
  }
  return { entries: people.entries(() => 'level_2'), publishedOn: seen === '' ? null : seen };
};
