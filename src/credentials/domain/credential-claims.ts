import { type Tier } from '../../kernel/kyc.js';
import { type StatusEntry } from './credential.events.js';

const CREDENTIALS_CONTEXT = 'https://www.w3.org/2018/credentials/v1';
/** Explains credentialStatus, which the other context does not know. */
const STATUS_CONTEXT = 'https://www.w3.org/ns/credentials/status/v1';

const STATUS_PATH = '/credentials/status';
/** The DID URL of the key with this thumbprint: the `kid` of all that it signs, and its verification method (DID Core, section 5.2). */
export const keyUrlOf = (issuer: string, thumbprint: string): string => `${issuer}#${thumbprint}`;

/** The thumbprint in a `kid` of this issuer. Any other text stays as it is, and older tokens have the thumbprint alone. */
export const thumbprintOf = (issuer: string, kid: string): string =>
  kid.startsWith(`${issuer}#`) ? kid.slice(issuer.length + 1) : kid;

const CREDENTIAL_ID_PREFIX = 'urn:uuid:';

export const jtiOf = (credentialId: string): string => `${CREDENTIAL_ID_PREFIX}${credentialId}`;

/** The UUID in a jti. Any other text stays as it is. */
export const credentialIdOf = (jti: string): string =>
  jti.startsWith(CREDENTIAL_ID_PREFIX) ? jti.slice(CREDENTIAL_ID_PREFIX.length) : jti;

export const statusListUrl = (baseUrl: string, purpose: 'revocation' | 'suspension', list: number): string =>
  `${baseUrl}${STATUS_PATH}/${purpose}/${list}`;

/** A place in a status list (W3C Bitstring Status List v1.0, section 2.1). */
interface StatusListEntry {
  readonly id: string;
  readonly type: 'BitstringStatusListEntry';
  readonly statusPurpose: 'revocation' | 'suspension';
  readonly statusListIndex: string;
  readonly statusListCredential: string;
}

/** The claims of a credential (W3C Verifiable Credentials Data Model v1.1, section 6.3.1). */
export interface CredentialClaims {
  readonly iss: string;
  readonly sub: string;
  /** Unix seconds. */
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
  readonly vc: {
    readonly '@context': readonly string[];
    readonly type: readonly string[];
    readonly id: string;
    readonly issuer: string;
    readonly issuanceDate: string;
    readonly expirationDate: string;
    readonly credentialSubject: {
      readonly id: string;
      readonly full_name: string;
      readonly tier: Tier;
      readonly phone_number: string;
    };
    readonly credentialStatus: readonly StatusListEntry[];
  };
}

export interface CredentialContent {
  readonly credentialId: string;
  readonly issuer: string;
  readonly baseUrl: string;
  readonly phoneHash: string;
  readonly fullName: string;
  readonly tier: Tier;
  readonly phone: string;
  /** Whole seconds. */
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly status: StatusEntry;
}

const entryOf = (purpose: 'revocation' | 'suspension', { baseUrl, status }: CredentialContent): StatusListEntry => {
  const url = statusListUrl(baseUrl, purpose, status.list);
  return {
    id: `${url}#${status.index}`,
    type: 'BitstringStatusListEntry',
    statusPurpose: purpose,
    statusListIndex: String(status.index),
    statusListCredential: url,
  };
};

const dateOf = (moment: Date): string => moment.toISOString().replace('.000Z', 'Z');

export const claimsOf = (content: CredentialContent): CredentialClaims => {
  const { credentialId, issuer, phoneHash, issuedAt, expiresAt } = content;
  const [sub, jti] = [`did:kyc:user:${phoneHash}`, jtiOf(credentialId)];
  return {
    iss: issuer,
    sub,
    nbf: issuedAt.getTime() / 1_000,
    exp: expiresAt.getTime() / 1_000,
    jti,
    vc: {
      '@context': [CREDENTIALS_CONTEXT, STATUS_CONTEXT],
      type: ['VerifiableCredential', 'KYCCredential'],
      id: jti,
      issuer,
      issuanceDate: dateOf(issuedAt),
      expirationDate: dateOf(expiresAt),
      credentialSubject: { id: sub, full_name: content.fullName, tier: content.tier, phone_number: content.phone },
      credentialStatus: [entryOf('revocation', content), entryOf('suspension', content)],
    },
  };
};

/** Days that a credential lasts at most. */
const LASTS_DAYS = 365;

const wholeSeconds = (moment: number): Date => new Date(Math.floor(moment / 1_000) * 1_000);

/** When a credential of this moment is issued and expires, in whole seconds. Undefined if the attestation ends within the second. */
export const termOf = (
  now: Date,
  attestedUntil: Date | null,
): { readonly issuedAt: Date; readonly expiresAt: Date } | undefined => {
  const issuedAt = wholeSeconds(now.getTime());
  const latest = issuedAt.getTime() + LASTS_DAYS * 86_400_000;
  const expiresAt = wholeSeconds(Math.min(latest, attestedUntil?.getTime() ?? latest));
  return expiresAt > issuedAt ? { issuedAt, expiresAt } : undefined;
};
