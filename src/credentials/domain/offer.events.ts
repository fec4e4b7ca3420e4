import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type Tier } from '../../kernel/kyc.js';

/** The form in which a wallet takes a credential. `jwt_vc_json`: the token that `issue` answers. */
export type WalletFormat = 'dc+sd-jwt' | 'jwt_vc_json';

export const OFFER_STATUSES = ['offered', 'accepted', 'redeemed', 'ended'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** Why no credential will be issued for an offer. */
export const OFFER_ENDS = ['expired', 'withdrawn', 'wrong_codes', 'not_attested', 'erased'] as const;
export type OfferEnd = (typeof OFFER_ENDS)[number];

/** What a wallet said of the credential that it got (OpenID4VCI 1.0, section 11). */
export const WALLET_NOTICES = ['credential_accepted', 'credential_failure', 'credential_deleted'] as const;
export type WalletNotice = (typeof WALLET_NOTICES)[number];

/** Name of the encrypted field with the person that a credential is offered for. */
export const PERSON_FIELD = 'person';

/** A credential waits for a wallet. It is paid for; its id is that of the deduction. */
export type CredentialOffered = DomainEvent<
  'CredentialOffered.v1',
  {
    readonly credentialId: string;
    readonly identityId: string;
    readonly identityHash: string;
    readonly tier: Tier;
    /** The person as asked, under the person's key at this tenant. */
    readonly person: Envelope;
    /** Whether the wallet must give the code that only the person got. It follows from the credential's id. */
    readonly asksCode: boolean;
    readonly offeredAt: string;
    readonly expiresAt: string;
  }
>;

/** A wallet exchanged the offer for an access token, which it may use until then. */
export type OfferAccepted = DomainEvent<
  'OfferAccepted.v1',
  { readonly credentialId: string; readonly attemptId: string; readonly until: string }
>;

/** A wallet gave another code than the person's. */
export type OfferCodeRefused = DomainEvent<
  'OfferCodeRefused.v1',
  { readonly credentialId: string; readonly attemptId: string; readonly refusedAt: string }
>;

/** Nothing is issued for the offer, and its credits come back. */
export type OfferEnded = DomainEvent<
  'OfferEnded.v1',
  { readonly credentialId: string; readonly cause: OfferEnd; readonly endedAt: string }
>;

export type WalletNotified = DomainEvent<
  'WalletNotified.v1',
  { readonly credentialId: string; readonly notice: WalletNotice; readonly notifiedAt: string }
>;

export type OfferEvent = CredentialOffered | OfferAccepted | OfferCodeRefused | OfferEnded | WalletNotified;
