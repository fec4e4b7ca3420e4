import { CLOCK_SLACK_MS } from '../../kernel/clock.js';
import { type CredentialStatus } from './credential.js';

export const CHECKS = ['signature', 'issuer_key', 'not_before', 'expiry', 'status', 'registry'] as const;
/** Of what a wallet presents alone. */
export const WALLET_CHECKS = ['disclosures', 'key_binding'] as const;
type Check = (typeof CHECKS)[number];
type WalletCheck = (typeof WALLET_CHECKS)[number];

/** `not_checked`: an earlier check failed, so this one could show nothing; or there is nothing to check, as in another issuer's registry. */
export type Verdict = 'passed' | 'failed' | 'not_checked';

export type Checks = Readonly<Record<Check, Verdict>> & Readonly<Partial<Record<WalletCheck, Verdict>>>;

/** Why a token is not valid, with the text that its caller sees. */
export const FAULTS = {
  MALFORMED_TOKEN: 'The token is not in the expected form',
  UNTRUSTED_KEY: 'The key is not one that this service issues credentials with',
  BAD_SIGNATURE: 'The signature is not that of the key',
  UNKNOWN_ISSUER: 'The token names another issuer',
  NOT_YET_VALID: 'The credential is not valid yet',
  EXPIRED: 'The credential has expired',
  UNKNOWN_CREDENTIAL: 'No such credential was issued',
  REVOKED: 'The credential is revoked',
  SUSPENDED: 'The credential is suspended',
  UNTRUSTED_ISSUER: 'This service does not trust the issuer of the credential',
  WRONG_TYPE: 'The credential is of another type than was asked for',
  MISSING_CLAIM: 'A claim that was asked for is not shown',
  BAD_DISCLOSURE: 'A disclosure is not one of this credential, or stands twice',
  NO_KEY_BINDING: 'The proof that the holder has the key is missing',
  BAD_KEY_BINDING: 'The proof of the key is not by the key of the holder, or is of another presentation',
  WRONG_NONCE: 'The proof of the key has another nonce',
  WRONG_AUDIENCE: 'The proof of the key is for another audience',
  STALE_PRESENTATION: 'The proof of the key is older than 300 seconds, or of the future',
  NONCE_USED: 'The nonce was presented before',
} as const;

export type VerificationFault = keyof typeof FAULTS;

/** The claims that a verdict depends on. */
export interface VerifiableClaims {
  readonly iss: string;
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the service wrote such claims. The rest of the payload is its own too, since its key signed it. */
export const isVerifiable = (payload: unknown): payload is VerifiableClaims & Readonly<Record<string, unknown>> =>
  isObject(payload) &&
  ['iss', 'sub', 'jti'].every((name) => typeof payload[name] === 'string') &&
  ['nbf', 'exp'].every((name) => Number.isSafeInteger(payload[name])) &&
  isObject(payload['vc']);

export interface Judgement {
  readonly checks: Checks;
  readonly fault: VerificationFault | undefined;
}

export const NOTHING_CHECKED: Checks = {
  signature: 'not_checked',
  issuer_key: 'not_checked',
  not_before: 'not_checked',
  expiry: 'not_checked',
  status: 'not_checked',
  registry: 'not_checked',
};

/** Of what a wallet presents, before it is looked at. */
export const UNCHECKED = { disclosures: 'not_checked', key_binding: 'not_checked' } as const;

/** Whether a term has begun and not ended. Clocks differ, so it begins a little before. Unix seconds; anything else is no time. */
export const termChecks = ({ nbf, exp }: { readonly nbf: unknown; readonly exp: unknown }, now: Date) => ({
  not_before: verdict(typeof nbf === 'number' && nbf * 1_000 <= now.getTime() + CLOCK_SLACK_MS),
  expiry: verdict(typeof exp === 'number' && now.getTime() < exp * 1_000),
});

export const verdict = (passed: boolean): Verdict => (passed ? 'passed' : 'failed');

/**
 * Judges the claims of a token whose key and signature are good. `status` is the credential's in the registry; undefined if it
 * was never issued.
 */
export const judge = (
  { iss, nbf, exp }: VerifiableClaims,
  issuer: string,
  now: Date,
  status: CredentialStatus | undefined,
): Judgement => {
  const checks: Checks = {
    signature: 'passed',
    issuer_key: verdict(iss === issuer),
    ...termChecks({ nbf, exp }, now),
    registry: verdict(status !== undefined),
    status: status === undefined ? 'not_checked' : verdict(status === 'issued'),
  };
  return { checks, fault: faultOf(checks, status) };
};

const faultOf = (checks: Checks, status: CredentialStatus | undefined): VerificationFault | undefined => {
  if (checks.issuer_key === 'failed') return 'UNKNOWN_ISSUER';
  if (checks.registry === 'failed') return 'UNKNOWN_CREDENTIAL';
  if (status === 'revoked') return 'REVOKED';
  if (checks.not_before === 'failed') return 'NOT_YET_VALID';
  if (checks.expiry === 'failed') return 'EXPIRED';
  return status === 'suspended' ? 'SUSPENDED' : undefined;
};
