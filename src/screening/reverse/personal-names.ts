import { type ScreeningQuery } from '../screener.js';

/** The field of an identity's row that is sealed. */
export const PERSONAL_FIELD = 'personal';

/** The part of an identity's personal data that is screened. */
export interface PersonalNames {
  readonly full_name: string;
  readonly date_of_birth?: string;
}

export const queryOf = ({ full_name: fullName, date_of_birth: born }: PersonalNames): ScreeningQuery => ({
  fullName,
  ...(born === undefined ? {} : { dateOfBirth: born }),
});
