// Written by `npm run screening:train` from OFAC’s list and invented people. docs/screening.md says how.
import { type Fact, type NameFeature } from './evidence.js';

/** What each feature adds to the logit that the query and the entry are the same. */
export const WEIGHTS: Readonly<Record<'base' | NameFeature | Fact, number>> = {
  base: 2.86,
  agrees_1: 2.17,
  agrees_2: 0.41,
  agrees_3: 0.66,
  unlike: -16.12,
  differs: -5.04,
  listed_lacks: -6.39,
  asked_lacks: -3.73,
  one_word: -2.5,
  initials: 0.05,
  consonants: 0,
  patronymics: -2.26,
  weak_alias: -2.61,
  day: 6.85,
  first_of_january: 1.59,
  exchanged: 0.38,
  month: 1.78,
  year: 1,
  range: -0.72,
  near: -2.38,
  contradicts: -4.43,
  none_listed: -0.95,
  not_asked: -0.28,
  country_agrees: 1.62,
  country_differs: -0.88,
  type_differs: -3.82,
  gender_differs: -2,
  address_agrees: 1.5,
};
