import {
  type CountryCallingCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type NumberingPlan,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** Whether the number's calling code is that of the country (ISO 3166-1 alpha-2). True for a country without one. */
export const isOfCountry = (phone: string, country: string): boolean => {
  if (!isSupportedCountry(country)) return true;
  return parsePhoneNumberFromString(phone)?.countryCallingCode === getCountryCallingCode(country);
};

const E164 = /^\+[1-9][0-9]{5,14}$/;

/** For the countries of one calling code: possible lengths, and the prefixes dialled before a national number. */
interface CallingCode {
  /** Lengths of the national number that are possible in each of its countries. */
  readonly lengths: ReadonlySet<number>;
  readonly dialledBefore: readonly RegExp[];
}

/** The library has the method, but its type declaration lacks it. */
type PlanWithPrefix = NumberingPlan & { nationalPrefixForParsing(): string | 0 | undefined };

const plansByCallingCode = (): Map<CountryCallingCode, PlanWithPrefix[]> => {
  const plans = new Map<CountryCallingCode, PlanWithPrefix[]>();
  for (const country of getCountries()) {
    const metadata = new Metadata();
    metadata.selectNumberingPlan(country);
    const code = getCountryCallingCode(country);
    const known = plans.get(code) ?? [];
    if (metadata.numberingPlan !== undefined) known.push(metadata.numberingPlan as PlanWithPrefix);
    plans.set(code, known);
  }
  return plans;
};

const gather = (plans: readonly PlanWithPrefix[]): CallingCode => {
  const [first, ...others] = plans.map((plan) => new Set(plan.possibleLengths()));
  const prefixes = new Set(
    plans.map((plan) => plan.nationalPrefixForParsing()).filter((prefix) => typeof prefix === 'string'),
  );
  return {
    lengths: new Set([...(first ?? [])].filter((length) => others.every((lengths) => lengths.has(length)))),
    dialledBefore: [...prefixes].map((prefix) => new RegExp(`^(?:${prefix})`)),
  };
};

const CALLING_CODES: ReadonlyMap<string, CallingCode> = new Map<string, CallingCode>(
  [...plansByCallingCode()].map(([code, plans]) => [code, gather(plans)]),
);

const MAX_CALLING_CODE_LENGTH = 3;

/** Uses only the tables. True if the number is certainly possible; the library decides on the others. */
const isPlainlyPossible = (text: string): boolean => {
  for (let length = 1; length <= MAX_CALLING_CODE_LENGTH; length += 1) {
    const plan = CALLING_CODES.get(text.slice(1, 1 + length));
    if (plan === undefined) continue;
    const national = text.slice(1 + length);
    return (
      plan.lengths.has(national.length) &&
      plan.dialledBefore.every((prefix) => (prefix.exec(national)?.[0] ?? '') === '')
    );
  }
  return false;
};

const isPossibleByLibrary = (text: string): boolean => {
  const phone = parsePhoneNumberFromString(text);
  return phone !== undefined && phone.number === text && phone.isPossible();
};

/**
 * Exact E.164, with a country code in use and a possible length for it. Does not check whether the numbering plan has assigned
 * the number. So numbers reserved for fiction and tests pass.
 */
export const isPossiblePhone = (text: string): boolean =>
  E164.test(text) && (isPlainlyPossible(text) || isPossibleByLibrary(text));

/** How Excel writes a long number: its last digits are lost. */
const BY_EXCEL = /^\+?\d([.,]\d+)?E\+\d+$/i;

/** Why a text is no possible phone number. Names its calling code at most. */
export const faultOfPhone = (text: string): string => {
  if (BY_EXCEL.test(text)) return 'Excel has rounded the phone number: format its column as text and enter it again';
  if (!text.startsWith('+')) return 'A phone number in E.164 format begins with + and the country code';
  if (!/^\+[0-9]+$/.test(text)) return 'A phone number in E.164 format has digits only after the +';
  const code = [1, 2, 3].map((length) => text.slice(1, 1 + length)).find((digits) => CALLING_CODES.has(digits));
  if (code === undefined) return 'No country code in use begins the number';
  const digits = text.length - 1 - code.length;
  // The library drops the prefix that is dialled within the country.
  return parsePhoneNumberFromString(text)?.isPossible() === true
    ? `The number is not written as from abroad: leave out what is dialled before it within +${code}`
    : `A number of ${digits} digits after +${code} has an impossible length for +${code}`;
};
