import { tablesKeyedFor } from './needed-keys.js';

const keyedFor = (text: string) => tablesKeyedFor(text, ['people', 'houses']);

describe('tables whose keys a statement needs', () => {
  it('are none where it puts new rows only', () => {
    expect(keyedFor('\n INSERT INTO people (id) SELECT id FROM unnest($1::uuid[]) AS r(id)')).toEqual([]);
  });

  it('are those that it looks up', () => {
    expect(keyedFor('INSERT INTO people (id) SELECT r.id FROM r LEFT JOIN houses h ON h.id = r.id')).toEqual([
      'houses',
    ]);
    expect(keyedFor('INSERT INTO people (id) SELECT r.id FROM r WHERE r.id NOT IN (SELECT id FROM people)')).toEqual([
      'people',
    ]);
    expect(keyedFor('DELETE FROM houses USING people WHERE true')).toEqual(['people', 'houses']);
  });

  it('are those in which a row may be there already', () => {
    expect(keyedFor('INSERT INTO people (id) VALUES ($1) ON CONFLICT (id) DO NOTHING')).toEqual(['people']);
    expect(keyedFor('WITH new AS (INSERT INTO houses (id) VALUES ($1)) SELECT 1')).toEqual(['houses']);
  });

  it('are told by whole names', () => {
    expect(keyedFor('UPDATE townhouses SET people_of = 1')).toEqual([]);
  });
});
