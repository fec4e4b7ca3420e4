import { type Tier } from '../../kernel/kyc.js';

/** The type of the credential (SD-JWT VC, `vct`). */
export const ATTESTATION_TYPE = 'urn:kyc:attestation:1';

/** Digests in each credential, those of no claim included. */
export const DIGESTS = 8;

const DAY_MS = 86_400_000;

/** What a wallet discloses one by one. What is not known is absent. */
export interface DisclosedClaims {
  readonly full_name: string;
  readonly tier: Tier;
  readonly phone_number: string;
  /** When a member verified the person last: a date. */
  readonly verified_at?: string;
  readonly age_over_18?: boolean;
  /** Names of members that attest the person, as far as these agreed. */
  readonly attested_by?: readonly string[];
}

export const DISCLOSABLE = [
  'full_name',
  'tier',
  'phone_number',
  'verified_at',
  'age_over_18',
  'attested_by',
] as const satisfies readonly (keyof DisclosedClaims)[];

const TOKEN_LIST_PATH = '/credentials/token-status';

export const tokenListUrl = (baseUrl: string, list: number): string => `${baseUrl}${TOKEN_LIST_PATH}/${list}`;

/** The number of the list. Undefined if the URL is none of this issuer. */
export const tokenListOf = (baseUrl: string, url: string): number | undefined => {
  const prefix = `${baseUrl}${TOKEN_LIST_PATH}/`;
  const number = url.startsWith(prefix) ? url.slice(prefix.length) : '';
  return /^[1-9][0-9]{0,8}$/.test(number) ? Number(number) : undefined;
};

const wholeDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);

/**
 * The same term for all that are issued on one day, so that it tells none of them apart. What ends within the day keeps its end,
 * and so does what the day would end too late for.
 */
export const termByDays = (issuedAt: Date, expiresAt: Date): { readonly iat: number; readonly exp: number } => {
  const day = wholeDay(expiresAt);
  const end = day > issuedAt ? day : expiresAt;
  return { iat: wholeDay(issuedAt).getTime() / 1_000, exp: end.getTime() / 1_000 };
};

interface Person {
  readonly full_name: string;
  readonly phone: string;
  readonly date_of_birth: string;
}

const ADULT_YEARS = 18;

/** Whether a person born on this date is 18 on the day of `now`, in UTC. Who is born on February 29 comes of age on March 1. */
const isAdult = (dateOfBirth: string, now: Date): boolean => {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number);
  return Date.UTC(year + ADULT_YEARS, month - 1, day) <= now.getTime();
};

interface Known {
  readonly verifiedAt: Date | null;
  readonly birthDateKnown: boolean;
  /** Names of attestors that may be named. */
  readonly attestedBy: readonly string[];
}

export const disclosedClaimsOf = (
  { full_name, phone, date_of_birth }: Person,
  tier: Tier,
  { verifiedAt, birthDateKnown, attestedBy }: Known,
  now: Date,
): DisclosedClaims => ({
  full_name,
  tier,
  phone_number: phone,
  ...(verifiedAt === null ? {} : { verified_at: verifiedAt.toISOString().slice(0, 10) }),
  ...(birthDateKnown ? { age_over_18: isAdult(date_of_birth, now) } : {}),
  ...(attestedBy.length === 0 ? {} : { attested_by: attestedBy }),
});
