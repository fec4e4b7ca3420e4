import { errors, importJWK, type JWK, jwtVerify } from 'jose';
import { type VerificationFault } from '../domain/verification.js';
import { type DigestAlgorithm, digestOf, type Parts } from './sd-jwt-parts.js';
import { algorithmOf } from '../wallets/wallet-keys.js';

/** How old the proof of a key may be, seconds. */
const MAX_AGE_S = 300;

/** How far clocks may differ, seconds. */
const CLOCK_SLACK_S = 60;

/** What a presentation must be bound to. */
export interface Bound {
  readonly nonce: string;
  readonly audience: string;
}

/** What an answer of a wallet must be bound to and show. */
export interface Expected extends Bound {
  /** Claims that must be shown, and of which no others are given on. Absent: any. */
  readonly claims?: readonly string[];
}

const FAULT_OF_CLAIM: Readonly<Record<string, VerificationFault>> = {
  aud: 'WRONG_AUDIENCE',
  iat: 'STALE_PRESENTATION',
};

/** What is wrong with a presentation of a credential that is in force, the gravest first. */
export const presentationFaultOf = (
  disclosed: object | undefined,
  binding: VerificationFault | undefined,
  isShown: boolean,
): VerificationFault | undefined =>
  disclosed === undefined ? 'BAD_DISCLOSURE' : (binding ?? (isShown ? undefined : 'MISSING_CLAIM'));

/** What is wrong with the proof that the presenter has the holder's key (RFC 9901, section 4.3). Undefined if it is good. */
export const bindingFaultOf = async (
  { binding, bound }: Pick<Parts, 'binding' | 'bound'>,
  holder: JWK,
  { nonce, audience }: Bound,
  now: Date,
  digests: DigestAlgorithm = 'sha-256',
): Promise<VerificationFault | undefined> => {
  if (binding === '') return 'NO_KEY_BINDING';
  const alg = algorithmOf(holder);
  const isBound = { algorithms: [alg], typ: 'kb+jwt', audience };
  const isNew = { maxTokenAge: MAX_AGE_S, clockTolerance: CLOCK_SLACK_S, currentDate: now };
  try {
    const { payload } = await jwtVerify(binding, await importJWK(holder, alg), { ...isBound, ...isNew });
    if (payload['sd_hash'] !== digestOf(bound, digests)) return 'BAD_KEY_BINDING';
    return payload['nonce'] === nonce ? undefined : 'WRONG_NONCE';
  } catch (error) {
    if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
      return FAULT_OF_CLAIM[error.claim] ?? 'BAD_KEY_BINDING';
    // Node throws a DOMException for a key that is none.
    if (error instanceof errors.JOSEError || error instanceof DOMException) return 'BAD_KEY_BINDING';
    throw error;
  }
};
