import { type CredentialOffered, type WalletNotice } from './offer.events.js';

export interface MakeOffer {
  readonly kind: 'offer';
  readonly offered: CredentialOffered['data'];
}

/** Exchanges the offer for an access token, once. */
export interface AcceptOffer {
  readonly kind: 'accept';
  readonly attemptId: string;
  /** Whether the code that was given is the person's. Of no meaning where none is asked for. */
  readonly codeIsRight: boolean;
  /** When the access ends. */
  readonly until: Date;
  readonly now: Date;
}

/** `expired` ends what is past its time only. The others end every offer that nothing was issued for. */
export interface EndOffer {
  readonly kind: 'end_offer';
  readonly cause: 'expired' | 'withdrawn' | 'not_attested' | 'erased';
  readonly now: Date;
}

export interface NoteWalletNotice {
  readonly kind: 'wallet_notice';
  readonly notice: WalletNotice;
  readonly now: Date;
}

export type OfferCommand = MakeOffer | AcceptOffer | EndOffer | NoteWalletNotice;
