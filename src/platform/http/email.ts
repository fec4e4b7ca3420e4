import { isEmail } from 'class-validator';

/** The common shape, in lower case. Every match is valid; other addresses may be valid too. */
const PLAIN =
  /^(?=[^@]{1,64}@.{1,189}$)[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;

/** Characters that are invisible or move others. Two different addresses could look the same. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/** Whether a normalised e-mail address is valid: a local part and a domain name of at least two labels, all visible. */
export const isValidEmail = (email: string): boolean => PLAIN.test(email) || (!HIDDEN.test(email) && isEmail(email));
