import { isEmail } from 'class-validator';
import tr46 from 'tr46';

/** The common shape, in lower case. Every match without labels of a code is valid; other addresses may be valid too. */
const PLAIN =
  /^(?=[^@]{1,64}@.{1,189}$)[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;

/** Characters that are invisible or move others. Two different addresses could look the same. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

const CODE = /[@.]xn--/;

/** Characters of a local part, of a domain and of an address (RFC 5321 section 4.5.3.1.3). */
const [LONGEST_LOCAL, LONGEST_DOMAIN, LONGEST] = [64, 253, 254];

/** UTS 46 as browsers apply it: `ß` is a letter of its own, and two hyphens may stand where a code has them. */
const RULES = {
  checkHyphens: false,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
} as const;

const EDGE_HYPHEN = /(?:^|\.)-|-(?:\.|$)/;

/** The domain by A-labels; undefined where UTS 46 refuses it. */
const domainOf = (domain: string): string | undefined => {
  const ascii = tr46.toASCII(domain, RULES) ?? undefined;
  return ascii === undefined || EDGE_HYPHEN.test(domain) || EDGE_HYPHEN.test(ascii) ? undefined : ascii;
};

/**
 * An address as every part of the service has it: trimmed, in NFC and lower case, its domain in A-labels (UTS 46). Its local part
 * keeps letters of other scripts. Undefined where it is none, or has characters that no one sees.
 */
export const emailIn = (text: string): string | undefined => {
  const email = text.normalize('NFC').trim().toLowerCase();
  if (PLAIN.test(email) && !CODE.test(email)) return email;
  if (HIDDEN.test(email)) return undefined;
  const at = email.lastIndexOf('@');
  if (at < 1 || at > LONGEST_LOCAL || email.length - at - 1 > LONGEST_DOMAIN) return undefined;
  const domain = domainOf(email.slice(at + 1));
  if (domain === undefined) return undefined;
  const whole = `${email.slice(0, at)}@${domain}`;
  return whole.length <= LONGEST && isEmail(whole) ? whole : undefined;
};
