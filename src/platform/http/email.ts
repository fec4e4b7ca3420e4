import { isEmail } from 'class-validator';

/** The common shape, in lower case; what it matches is valid, and what it does not match may be. */
const PLAIN =
  /^(?=[^@]{1,64}@.{1,189}$)[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;

/** Nobody sees these, or they move what is seen: two addresses would look like one. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/** Whether a normalised e-mail address is valid: a local part and a domain name of two labels at least, all of it to be seen. */
export const isValidEmail = (email: string): boolean => PLAIN.test(email) || (!HIDDEN.test(email) && isEmail(email));
