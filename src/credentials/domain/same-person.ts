/** What a request or a record says of a person. */
export interface Described {
  readonly fullName: string;
  readonly dateOfBirth?: string | undefined;
}

/**
 * Marks that change a letter of Latin, Greek or Cyrillic, and the vowel points of Hebrew and Arabic. Marks of other scripts are
 * vowels and consonants: without them names of different persons would be alike.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/gu;

/** A name without its accents, case and doubled blanks. */
const plainName = (name: string): string =>
  name.normalize('NFKD').replace(ACCENTS, '').toUpperCase().toLowerCase().trim().replace(/\s+/gu, ' ');

/** Whether a record agrees with what is asked. A record without a date of birth says nothing of it. */
export const isSamePerson = (record: Described, requested: Described): boolean =>
  plainName(record.fullName) === plainName(requested.fullName) &&
  (record.dateOfBirth === undefined || record.dateOfBirth === requested.dateOfBirth);
