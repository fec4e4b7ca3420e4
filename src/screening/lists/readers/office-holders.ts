import { alpha2Of } from '../../matching/countries.js';
import { type Row, rowsOf } from './csv-rows.js';
import { birthDateOf } from './dates.js';
import { levelOfTitle } from './pep-levels.js';
import { People } from './people.js';
import { type ReadList } from './list-content.js';
import { NotAList, type SourceFile } from './source.js';

/** `Prime Minister of the United Kingdom`. */
const countryOfTitle = (title: string): string | null => {
  const [, place] = / of (?:the )?([^,]+)$/.exec(title) ?? [];
  return (place === undefined ? undefined : alpha2Of(place)) ?? null;
};

const ID = /^Q\d+$/;

const readHolder = (people: People, id: string, name: string, title: string, row: Row): void => {
  people.name(id, name);
  people.born(id, birthDateOf(row['DOB'] ?? ''));
  people.holds(id, {
    title,
    country: countryOfTitle(title),
    level: levelOfTitle(title),
    from: row['start'] || null,
    to: row['end'] || null,
  });
};

const readFamily = (people: People, row: Row): void => {
  const { id = '', name = '', relationship = '', relative = '', relativename = '' } = row;
  if (!ID.test(id) || !ID.test(relative)) return;
  people.name(id, name);
  // Some relatives are known by their id alone.
  people.name(relative, ID.test(relativename) ? '' : relativename);
  people.tie(id, relative, relationship, 'relative');
};

/** Reads a row by the columns of its table. False for a table of another kind. */
const readRow = (people: People, row: Row): boolean => {
  const { position, person, personID, item, itemLabel, positionLabel, relationship, id, dob, name } = row;
  if (position !== undefined && person !== undefined && personID !== undefined) {
    if (ID.test(personID)) readHolder(people, personID, person, position, row);
  } else if (item !== undefined && itemLabel !== undefined && positionLabel !== undefined) {
    if (ID.test(item)) readHolder(people, item, itemLabel, positionLabel, row);
  } else if (relationship !== undefined) {
    readFamily(people, row);
  } else if (id !== undefined && dob !== undefined && name !== undefined) {
    if (ID.test(id)) people.born(id, birthDateOf(dob));
  } else {
    return false;
  }
  return true;
};

/** Tables of office holders, families and biographies, distinguished by their columns. */
export const readOfficeHolders = async (files: readonly SourceFile[]): Promise<ReadList> => {
  const people = new People();
  for (const file of files) {
    for await (const row of rowsOf(file)) {
      if (!readRow(people, row)) throw new NotAList(`${file.name} is no table of holders, families or biographies`);
    }
  }
  return { entries: people.entries(), publishedOn: null };
};
