import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

/** A person who holds or held an office. */
export interface RealPerson {
  readonly fullName: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string;
}

const FOLDERS = ['russia-cabinet', 'world'];

const textAt = (path: string): string => {
  const packed = `${path}.gz`;
  return existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(packed)).toString('utf8');
};

/** Office holders with an exact birth date, from Wikidata. */
export const realPeople = (folder: string): readonly RealPerson[] => {
  const people = new Map<string, RealPerson>();
  for (const name of FOLDERS) {
    const rows = parse(textAt(join(folder, 'pep/eps', name, 'html_bio.csv')), {
      columns: true,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
    }) as readonly Readonly<Record<string, string>>[];
    for (const { id = '', name: fullName = '', dob: dateOfBirth = '' } of rows) {
      if (/^\d{4}-\d{2}-\d{2}$/.test(dateOfBirth) && /\p{L}+ \p{L}+/u.test(fullName)) {
        people.set(id, { fullName, dateOfBirth });
      }
    }
  }
  return [...people.values()];
};
