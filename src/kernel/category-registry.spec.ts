import { categories } from '../categories.js';

const keptSince = (now: string): string => categories.keptSince('audit-operators', new Date(now)).toISOString();

describe('what is kept in the logs', () => {
  it('is of the last seven years, by whole UTC days', () => {
    expect(keptSince('2033-11-01T00:00:00.000Z')).toBe('2026-11-01T00:00:00.000Z');
    expect(keptSince('2033-11-01T23:59:59.999Z')).toBe('2026-11-01T00:00:00.000Z');
  });

  it('is never less for a leap day', () =>
    expect(keptSince('2032-02-29T12:00:00.000Z')).toBe('2025-03-01T00:00:00.000Z'));

  it('is of five years where it is identity data', () =>
    expect(categories.keptSince('ingestion-t1_2', new Date('2033-11-01T10:00:00.000Z')).toISOString()).toBe(
      '2028-11-01T00:00:00.000Z',
    ));

  it('goes never where it is kept for good', () =>
    expect(() => categories.keptSince('account-t1', new Date())).toThrow('go after a time'));
});

describe('the category of a stream', () => {
  it.each([
    ['audit-t01hzzzzzzzzzzzzzzzzzzzzzzz', 'audit'],
    ['audit-operators', 'audit-operators'],
    ['identity-t1_2', 'identity'],
    ['purges-deployment', 'purges-deployment'],
    ['something-else', undefined],
  ])('of %s is %s', (stream, name) => expect(categories.categoryOf(stream)?.name).toBe(name));
});
