import { type Payload } from '../../credential-verifier.js';

/** The type of person identification data (PID Rulebook of the EU's Architecture and Reference Framework, SD-JWT VC encoding). */
export const PID_TYPE = 'urn:eudi:pid:1';

/** Types of member states extend it. */
const PID_TYPES = 'urn:eudi:pid:';

/** Where each claim stands in a PID. */
const PATHS = {
  family_name: ['family_name'],
  given_name: ['given_name'],
  birthdate: ['birthdate'],
  age_over_18: ['age_equal_or_over', '18'],
  place_of_birth: ['place_of_birth'],
  nationalities: ['nationalities'],
  address: ['address'],
  email: ['email'],
  phone_number: ['phone_number'],
  personal_administrative_number: ['personal_administrative_number'],
  document_number: ['document_number'],
  date_of_expiry: ['date_of_expiry'],
  issuing_authority: ['issuing_authority'],
  issuing_country: ['issuing_country'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type PidClaim = keyof typeof PATHS;

export const PID_CLAIMS = Object.keys(PATHS) as readonly PidClaim[];

export const isPidType = (vct: unknown): boolean => typeof vct === 'string' && vct.startsWith(PID_TYPES);

export const pathOf = (claim: string): readonly string[] => PATHS[claim as PidClaim];

const claimAt = (claims: unknown, path: readonly string[]): unknown =>
  path.reduce((found: unknown, name) => {
    const isObject = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    return isObject ? (found as Payload)[name] : undefined;
  }, claims);

/** Whether something is said: an object or a list without a value in it was shown by its frame alone. */
const says = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(says) : value !== undefined;

/** The asked claims of a PID by their names. What it does not show is absent. */
export const shownOf = (claims: unknown, asked: readonly string[]): Payload =>
  Object.fromEntries(
    asked.map((name) => [name, claimAt(claims, pathOf(name))] as const).filter(([, value]) => says(value)),
  );
