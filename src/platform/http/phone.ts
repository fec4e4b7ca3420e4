import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const E164 = /^\+[1-9][0-9]{5,14}$/;

/**
 * E.164 to the letter, with a country code in use and a length possible for it. Whether the numbering plan has given the
 * number out is not asked, so that numbers reserved for fiction and tests pass.
 */
export const isPossiblePhone = (text: string): boolean => {
  if (!E164.test(text)) return false;
  const phone = parsePhoneNumberFromString(text);
  return phone !== undefined && phone.number === text && phone.isPossible();
};
