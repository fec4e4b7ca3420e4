import { type ScreeningQuery } from '../screener.js';

/** The part of an identity's personal data that is screened. */
export interface PersonalNames {
  readonly full_name: string;
  readonly date_of_birth?: string;
}

export const queryOf = ({ full_name: fullName, date_of_birth: born }: PersonalNames): ScreeningQuery => ({
  fullName,
  ...(born === undefined ? {} : { dateOfBirth: born }),
});
