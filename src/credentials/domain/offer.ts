import { type AcceptOffer, type EndOffer, type NoteWalletNotice } from './offer.commands.js';
import {
  type CredentialOffered,
  type OfferEnd,
  type OfferEvent,
  type OfferStatus,
  type WalletNotice,
} from './offer.events.js';

/** Wrong codes that end an offer. */
export const MAX_WRONG_CODES = 5;

/** A credential that waits for a wallet, or waited. */
export interface Offer {
  readonly offered: CredentialOffered['data'];
  /** The exchange for an access token that counts. */
  readonly accepted: { readonly attemptId: string; readonly until: string } | null;
  readonly wrongCodes: number;
  readonly ended: OfferEnd | null;
  readonly notices: readonly WalletNotice[];
}

export const offerStatusOf = ({ accepted, ended }: Offer, isIssued: boolean): OfferStatus => {
  if (ended !== null) return 'ended';
  if (isIssued) return 'redeemed';
  return accepted === null ? 'offered' : 'accepted';
};

/** When it ends unless a wallet goes on. */
export const waitsUntil = ({ offered, accepted }: Offer): Date => new Date(accepted?.until ?? offered.expiresAt);

/** Whether a wallet may still go on with it. */
export const isWaiting = (offer: Offer, now: Date): boolean => offer.ended === null && now < waitsUntil(offer);

const end = ({ offered: { credentialId } }: Offer, cause: OfferEnd, now: Date): OfferEvent => ({
  type: 'OfferEnded.v1',
  data: { credentialId, cause, endedAt: now.toISOString() },
});

/** Changes nothing where the offer is not there to be accepted: the caller looks at whose attempt counts. */
export const acceptOffer = ({ attemptId, codeIsRight, until, now }: AcceptOffer, offer: Offer): OfferEvent[] => {
  if (offer.accepted !== null || !isWaiting(offer, now)) return [];
  const { credentialId, asksCode } = offer.offered;
  if (asksCode && !codeIsRight) {
    const data = { credentialId, attemptId, refusedAt: now.toISOString() };
    const isLast = offer.wrongCodes + 1 >= MAX_WRONG_CODES;
    return [{ type: 'OfferCodeRefused.v1', data }, ...(isLast ? [end(offer, 'wrong_codes', now)] : [])];
  }
  return [{ type: 'OfferAccepted.v1', data: { credentialId, attemptId, until: until.toISOString() } }];
};

/** Ends an offer that nothing was issued for. */
export const endOffer = ({ cause, now }: EndOffer, offer: Offer): OfferEvent[] =>
  offer.ended !== null || (cause === 'expired' && isWaiting(offer, now)) ? [] : [end(offer, cause, now)];

/** Each notice counts once. */
export const noteNotice = ({ notice, now }: NoteWalletNotice, offer: Offer): OfferEvent[] => {
  if (offer.notices.includes(notice)) return [];
  const { credentialId } = offer.offered;
  return [{ type: 'WalletNotified.v1', data: { credentialId, notice, notifiedAt: now.toISOString() } }];
};

/** Null until it is offered. */
export const evolveOffer = (offer: Offer | null, event: OfferEvent): Offer | null => {
  if (event.type === 'CredentialOffered.v1')
    return { offered: event.data, accepted: null, wrongCodes: 0, ended: null, notices: [] };
  if (offer === null) return null;
  switch (event.type) {
    case 'OfferAccepted.v1':
      return { ...offer, accepted: { attemptId: event.data.attemptId, until: event.data.until } };
    case 'OfferCodeRefused.v1':
      return { ...offer, wrongCodes: offer.wrongCodes + 1 };
    case 'OfferEnded.v1':
      return { ...offer, ended: event.data.cause };
    case 'WalletNotified.v1':
      return { ...offer, notices: [...offer.notices, event.data.notice] };
  }
};
