import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type ExpiryNotice } from '../../kernel/expiry-notices.js';
import { uuidHex } from '../../kernel/ids.js';
import { type Tier } from '../../kernel/kyc.js';

/** The form is `credential-<tenant>_<the 32 hexadecimal digits of the credential's UUID>`. */
export const CREDENTIAL_STREAM_PREFIX = 'credential-';

export const credentialStream = (tenantId: string, credentialId: string): string =>
  `${CREDENTIAL_STREAM_PREFIX}${tenantId}_${uuidHex(credentialId)}`;

/** Name of the encrypted field with the signed token. The ciphertext is bound to it. */
export const TOKEN_FIELD = 'token';

/** The place of a credential's bits: in the revocation list and in the suspension list of this number. */
export interface StatusEntry {
  readonly list: number;
  readonly index: number;
}

/** Who suspends. A credential is suspended while at least one of them does. */
export type SuspensionCause = 'issuer' | 'identity_deleted' | 'attestor_distrusted';

/** Who revokes. `unpaid`: the issuance failed after it was recorded. */
export type RevocationCause = 'issuer' | 'identity_erased' | 'unpaid';

/** A signed credential. `credentialId` is the UUID in its jti. Times are ISO 8601, UTC, milliseconds. */
export type CredentialIssued = DomainEvent<
  'CredentialIssued.v1',
  {
    readonly credentialId: string;
    readonly identityId: string;
    /** Keyed hash of e-mail and phone together, equal across tenants. */
    readonly identityHash: string;
    readonly tier: Tier;
    /** The issuer's key that signed it. */
    readonly kid: string;
    readonly issuedAt: string;
    readonly expiresAt: string;
    readonly status: StatusEntry;
    /** The token, under the person's key at this tenant. */
    readonly token: Envelope;
  }
>;

interface Change {
  readonly credentialId: string;
  readonly status: StatusEntry;
  /** The tenant's words, under the person's key. Null if there are none. */
  readonly reason: Envelope | null;
  readonly changedAt: string;
}

export type CredentialSuspended = DomainEvent<'CredentialSuspended.v1', Change & { readonly cause: SuspensionCause }>;

/** The suspension by this cause ends. Another cause may go on. */
export type CredentialReinstated = DomainEvent<'CredentialReinstated.v1', Change & { readonly cause: SuspensionCause }>;

/** Final. */
export type CredentialRevoked = DomainEvent<'CredentialRevoked.v1', Change & { readonly cause: RevocationCause }>;

/** It will expire (credential.expiring). Each notice goes out once. */
export type CredentialExpiring = DomainEvent<
  'CredentialExpiring.v1',
  {
    readonly credentialId: string;
    readonly identityId: string;
    readonly expiresAt: string;
    readonly notice: ExpiryNotice;
    readonly noticedAt: string;
  }
>;

/** The credits of an issuance went back before it was recorded. So it never will be. */
export type CredentialWithdrawn = DomainEvent<'CredentialWithdrawn.v1', { readonly credentialId: string }>;

export type CredentialEvent =
  | CredentialIssued
  | CredentialSuspended
  | CredentialReinstated
  | CredentialRevoked
  | CredentialExpiring
  | CredentialWithdrawn;

/** A change of what the credential is worth, with a reason. */
export type CredentialChanged = CredentialSuspended | CredentialReinstated | CredentialRevoked;
