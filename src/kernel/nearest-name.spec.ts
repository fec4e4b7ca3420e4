import { nearestName } from './nearest-name.js';

const FIELDS = ['email', 'phone_number', 'full_name', 'date_of_birth', 'tier'];

describe('the name that was probably meant', () => {
  it.each([
    ['ful_name', 'full_name'],
    ['fullName', 'full_name'],
    ['Full-Name', 'full_name'],
    ['emial', 'email'],
    ['phone', 'phone_number'],
    ['name', 'full_name'],
    ['date_of_brith', 'date_of_birth'],
    ['tiers', 'tier'],
  ])('of %s is %s', (given, meant) => expect(nearestName(given, FIELDS)).toBe(meant));

  it.each(['x', 'colour', '', 'number_of_children', 'full_name'.repeat(100)])('of %j is none', (given) =>
    expect(nearestName(given, FIELDS)).toBeUndefined(),
  );
});
