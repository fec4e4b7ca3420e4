// Written by `npm run screening:train` from OFAC’s list and invented people. docs/screening.md says how.
import { type Fact, type NameFeature } from './evidence.js';

/** What each feature adds to the logit that the query and the entry are the same. */
export const WEIGHTS: Readonly<Record<'base' | NameFeature | Fact, number>> = {
  base: 2.81,
  agrees_1: 0.9,
  agrees_2: 1.87,
  agrees_3: 0.52,
  unlike: -16.1,
  differs: -5.85,
  listed_lacks: -6.57,
  asked_lacks: -4.58,
  one_word: 0,
  initials: -0.49,
  consonants: 0,
  patronymics: -2.14,
  weak_alias: -2.47,
  day: 5.07,
  first_of_january: 2.05,
  exchanged: 0.84,
  month: 1.46,
  year: 1.08,
  range: 0.52,
  near: -1.33,
  contradicts: -3.95,
  none_listed: -0.81,
  not_asked: 0.21,
  country_agrees: 0.86,
  country_differs: -1.83,
  type_differs: -3.77,
  gender_differs: -2,
  address_agrees: 1.5,
};
