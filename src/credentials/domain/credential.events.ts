import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type ExpiryNotice } from '../../kernel/expiry-notices.js';
import { deriveUuid, uuidHex } from '../../kernel/ids.js';
import { type Tier } from '../../kernel/kyc.js';
import { type OfferEvent, type WalletFormat } from './offer.events.js';

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

/** A copy of a credential that a wallet holds. Each has places in the lists of its own, so that no two of them are alike. */
interface WalletCopy {
  /** The thumbprint of the wallet's key (RFC 7638). Null where the form is bound to none. */
  readonly holder: string | null;
  readonly status: StatusEntry;
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
    /** The token, under the person's key at this tenant; of a wallet's credential the list of its copies. */
    readonly token: Envelope;
    /** Where a wallet redeemed an offer. `status` is then that of the first copy. */
    readonly wallet?: { readonly format: WalletFormat; readonly copies: readonly WalletCopy[] };
  }
>;

/** Namespace of the ids of issuances to wallets. */
const WALLET_ISSUANCES = '6a1de1a0-9a55-4d0e-b4a5-0f4f4c0a5f0b';

/** The id of the event of an issuance. An offer takes the credential's own id, so what follows it has another. */
export const issuanceIdOf = (credentialId: string, isForWallet: boolean): string =>
  isForWallet ? deriveUuid(WALLET_ISSUANCES, credentialId) : credentialId;

interface Change {
  readonly credentialId: string;
  readonly status: StatusEntry;
  /** The places of all copies, where a wallet holds them. */
  readonly copies?: readonly StatusEntry[];
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
  | CredentialWithdrawn
  | OfferEvent;

/** A change of what the credential is worth, with a reason. */
export type CredentialChanged = CredentialSuspended | CredentialReinstated | CredentialRevoked;
