import fc from 'fast-check';
import { type ListEntry } from '../domain/list-entry.js';
import { type ScreeningOutcome, type ScreeningQuery } from '../domain/screening-list.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';

const LISTED: readonly ListEntry[] = [
  ['person', 'Mohammed Hassan Ali', 'individual'],
  ['telling', 'Zebulon Quillfeather', 'individual'],
  ['short', 'Anna Smith', 'individual'],
  ['firm', 'Hassan Trading', 'entity'],
].map(([id = '', text = '', type]) => ({
  id,
  type: type as ListEntry['type'],
  names: [{ text, weak: false }],
  birthDates: type === 'individual' ? [{ text: '1961-03-24', from: '1961-03-24', to: '1961-03-24' }] : [],
  countries: [],
  programs: [],
  listedOn: null,
}));
const engine = new ListEngine('OFAC_SDN', 'v1', LISTED);

const ask = (query: ScreeningQuery): ScreeningOutcome =>
  screenAgainstLists([engine], query, { potential: 0.85, confirmed: 0.95 });
const idsOf = ({ matches }: ScreeningOutcome): string[] => matches.map(({ entryId }) => entryId).sort();

const names = fc.constantFrom(
  'Mohamed Hasan Ali',
  'Ana Smith',
  'Mohammed Ali Hassan',
  'Zebulon Quilfeather',
  'Hasan Trading',
);
const otherDates = fc.constantFrom('1990-07-19', '1962-03-24', '1916-03-24', '1975', '1961-03-25', '1961-04');

it('strict finds with another birth date whatever is found without one', () => {
  fc.assert(
    fc.property(names, otherDates, (fullName, dateOfBirth) => {
      const undated = ask({ fullName });
      const dated = ask({ fullName, dateOfBirth, datePolicy: 'strict' });
      expect(idsOf(dated)).toEqual(expect.arrayContaining(idsOf(undated)));
    }),
  );
});

it('lenient sets one aside by its date, and says so', () => {
  const query = { fullName: 'Ana Smith', dateOfBirth: '1990-07-19' };
  const lenient = ask(query);
  expect([idsOf(lenient), lenient.cleared.map(({ entryId }) => entryId)]).toEqual([[], ['short']]);
  const strict = ask({ ...query, datePolicy: 'strict' });
  expect([idsOf(strict), strict.cleared]).toEqual([['short'], []]);
  expect(strict.matches[0]?.reasons.join(' ')).toContain('contradicts');
});

it('strict confirms by an exact birth day, and never against another one', () => {
  const at = (dateOfBirth: string): string =>
    ask({ fullName: 'Zebulon Quillfeather', dateOfBirth, datePolicy: 'strict' }).status;
  expect([at('1961-03-24'), at('1990-07-19')]).toEqual(['confirmed_match', 'potential_match']);
});
