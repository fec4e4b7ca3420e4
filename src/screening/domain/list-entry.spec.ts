import { deltaBetween, digestOf, digestsOf, type ListEntry } from './list-entry.js';

const entry = (index: number): ListEntry => ({
  id: `E${index}`,
  type: 'individual',
  names: [
    { text: `Ivan Example ${index}`, weak: false },
    { text: `Vanya Example ${index}`, weak: true },
    { text: `I. Example-${index}`, weak: false },
  ],
  birthDates: [
    { text: '1960', from: '1960-01-01', to: '1960-12-31' },
    { text: '1961-02-03', from: '1961-02-03', to: '1961-02-03' },
  ],
  countries: ['RU', 'BY'],
  programs: ['UKR', 'BLR'],
  listedOn: '2022-02-25',
});

const cosmetics: readonly ((entry: ListEntry) => ListEntry)[] = [
  (one) => ({ ...one, names: [...one.names].reverse() }),
  (one) => ({
    ...one,
    names: one.names.map(({ text, weak }) => ({ text: ` ${text.toUpperCase().replace(/ /g, '  ')} `, weak })),
  }),
  (one) => ({ ...one, names: one.names.map(({ text, weak }) => ({ text: text.normalize('NFD'), weak })) }),
  (one) => ({ ...one, birthDates: [...one.birthDates].reverse(), countries: [...one.countries].reverse() }),
  (one) => ({ ...one, programs: [...one.programs, ...one.programs], names: [...one.names, ...one.names] }),
];

const real: readonly ((entry: ListEntry) => ListEntry)[] = [
  (one) => ({ ...one, names: [...one.names, { text: 'Another Name', weak: false }] }),
  (one) => ({ ...one, names: one.names.map(({ text }) => ({ text, weak: false })) }),
  (one) => ({ ...one, birthDates: one.birthDates.slice(1) }),
  (one) => ({ ...one, countries: ['RU'] }),
  (one) => ({ ...one, programs: ['UKR'] }),
];

describe('what really differs between two versions of a list', () => {
  it('is 5 added, 2 removed and 11 changed among 1,286 cosmetic differences', () => {
    const before = Array.from({ length: 5_800 }, (_, index) => entry(index));
    const after = before.slice(2).map((one, index) => {
      if (index < 11) return real[index % real.length]?.(one) ?? one;
      return index < 11 + 1_286 ? (cosmetics[index % cosmetics.length]?.(one) ?? one) : one;
    });
    const added = Array.from({ length: 5 }, (_, index) => entry(10_000 + index));
    const delta = deltaBetween(digestsOf(before), digestsOf([...added, ...after.reverse()]));
    expect([delta.added.length, delta.removed.length, delta.changed.length]).toEqual([5, 2, 11]);
    expect(delta.removed).toEqual(['E0', 'E1']);
  });

  it.each(cosmetics.map((change, index) => [index, change] as const))('is no cosmetic difference: %d', (_, change) => {
    expect(digestOf(change(entry(1)))).toBe(digestOf(entry(1)));
  });

  it.each(real.map((change, index) => [index, change] as const))('is every real one: %d', (_, change) => {
    expect(digestOf(change(entry(1)))).not.toBe(digestOf(entry(1)));
  });
});
