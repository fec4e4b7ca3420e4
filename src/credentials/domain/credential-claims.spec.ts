import { termOf } from './credential-claims.js';
import { isSamePerson } from './same-person.js';

const NOW = new Date('2026-03-01T12:00:00.789Z');

describe('the term of a credential', () => {
  it('is 365 days from the whole second, or until the attestation ends where that is earlier', () => {
    const issuedAt = new Date('2026-03-01T12:00:00.000Z');
    expect(termOf(NOW, null)).toEqual({ issuedAt, expiresAt: new Date('2027-03-01T12:00:00.000Z') });
    expect(termOf(NOW, new Date('2026-04-01T00:00:00.999Z'))).toEqual({
      issuedAt,
      expiresAt: new Date('2026-04-01T00:00:00.000Z'),
    });
    expect(termOf(NOW, new Date('2999-01-01T00:00:00Z'))?.expiresAt).toEqual(new Date('2027-03-01T12:00:00.000Z'));
  });

  it('is none where the attestation ends within the second', () => {
    expect(termOf(NOW, new Date('2026-03-01T12:00:00.999Z'))).toBeUndefined();
  });
});

describe('a name agrees', () => {
  const same = (one: string, other: string): boolean => isSamePerson({ fullName: one }, { fullName: other });

  it.each([
    ['María José Núñez', 'MARIA JOSE NUNEZ'],
    ['Ó Súilleabháin', 'o suilleabhain'],
    [' Anna  Schröder ', 'anna schroder'],
    ['Groß', 'GROSS'],
    ['Ёлкин Пётр', 'елкин петр'],
  ])('%s with %s', (one, other) => expect(same(one, other)).toBe(true));

  it.each([
    ['María José', 'José María'],
    ['Ann Example', 'Anne Example'],
    ['Ann Example', 'Ann'],
    ['', 'Ann'],
    ['मीना', 'मोना'],
    ['はが', 'はか'],
    ['สมชาย', 'สมชัย'],
  ])('and %s not with %s', (one, other) => expect(same(one, other)).toBe(false));

  it('with a date of birth, where the record has one', () => {
    const requested = { fullName: 'Ann', dateOfBirth: '1990-04-23' };
    expect(isSamePerson({ fullName: 'Ann' }, requested)).toBe(true);
    expect(isSamePerson({ fullName: 'Ann', dateOfBirth: '1990-04-23' }, requested)).toBe(true);
    expect(isSamePerson({ fullName: 'Ann', dateOfBirth: '1990-04-24' }, requested)).toBe(false);
  });
});
