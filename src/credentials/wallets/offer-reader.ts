import { Inject, Injectable } from '@nestjs/common';
import {
  type OfferEnding,
  type OfferFilter,
  type OfferSummary,
  pageOfOffers,
} from '../../../projections/credentials/offers.queries.js';
import { CREDENTIALS } from '../../../projections/credentials/credentials.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';
import { ReadModels } from '../../log/project/projection.js';
import { CLOCK } from '../../platform/tokens.js';
import { CredentialRepository, type CredentialTarget } from '../credential-repository.js';
import { type CredentialOffered, type OfferStatus, type WalletNotice } from '../domain/offer.events.js';
import { isWaiting, offerStatusOf, waitsUntil } from '../domain/offer.js';
import { IssuerIdentity } from '../issuer.js';
import { CONFIGURATION_IDS, PATHS, PRE_AUTHORIZED } from './issuer-metadata.js';
import { CODE_LENGTH, WalletSecrets } from './wallet-secrets.js';

/** How a wallet finds an offer. */
export interface OfferLinks {
  readonly uri: string;
  /** Opens a wallet on the person's device (OpenID4VCI 1.0, section 4.1). */
  readonly deepLink: string;
}

export interface OpenedOffer {
  readonly offered: CredentialOffered['data'];
  readonly status: OfferStatus;
  readonly endedBecause: OfferEnding | null;
  readonly until: Date;
  readonly notices: readonly WalletNotice[];
  /** Null once a wallet has taken it, or it has ended. */
  readonly links: OfferLinks | null;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Reads offers: for the tenant that made them, and for the wallet that brings a link. */
@Injectable()
export class OfferReader {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly readModels: ReadModels,
    private readonly issuer: IssuerIdentity,
    private readonly secrets: WalletSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** As the stream has it now. Throws Rejection not_found. */
  async open(target: CredentialTarget): Promise<OpenedOffer> {
    const { offer, issued, withdrawn } = (await this.credentials.load(target)).state;
    if (offer === null || withdrawn) throw refuse('not_found');
    const now = this.clock.now();
    const isExpired = issued === null && offer.ended === null && !isWaiting(offer, now);
    const status = isExpired ? 'ended' : offerStatusOf(offer, issued !== null);
    return {
      offered: offer.offered,
      status,
      endedBecause: isExpired ? 'expired' : offer.ended,
      until: waitsUntil(offer),
      notices: offer.notices,
      links: status === 'offered' ? await this.linksTo(target, offer.offered) : null,
    };
  }

  /** It opens nothing that is sealed. */
  async page(
    filter: OfferFilter,
    page: Page,
  ): Promise<{ readonly rows: readonly OfferSummary[]; readonly total: number }> {
    await this.readModels.assertCurrent(CREDENTIALS);
    return pageOfOffers(this.readModels, filter, page);
  }

  async linksTo(target: CredentialTarget, { expiresAt }: CredentialOffered['data']): Promise<OfferLinks> {
    // The link must hold wherever the offer is read.
    const { baseUrl } = await this.issuer.establish();
    const uri = `${baseUrl}/${PATHS.offer}/${await this.secrets.seal('offer', target, new Date(expiresAt))}`;
    return { uri, deepLink: `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(uri)}` };
  }

  /** What a wallet reads behind the link (OpenID4VCI 1.0, section 4.1.1). Throws Rejection not_found. */
  async forWallet(reference: string): Promise<object> {
    const target = await this.secrets.open('offer', reference);
    if (target === undefined) throw refuse('not_found');
    const { offered, status } = await this.open(target);
    if (status !== 'offered') throw refuse('not_found');
    const { baseUrl } = await this.issuer.present();
    const tx_code = { input_mode: 'numeric', length: CODE_LENGTH, description: 'The code that you were given' };
    return {
      credential_issuer: baseUrl,
      credential_configuration_ids: CONFIGURATION_IDS,
      grants: {
        [PRE_AUTHORIZED]: {
          'pre-authorized_code': await this.secrets.seal('code', target, new Date(offered.expiresAt)),
          ...(offered.asksCode ? { tx_code } : {}),
        },
      },
    };
  }
}
