import { Command } from '@nestjs/cqrs';
import { type JWK } from 'jose';
import { type AccessRecord } from '../../kernel/access.js';
import { type TenantId } from '../../kernel/ids.js';
import { type CredentialOffered, type WalletFormat } from '../domain/offer.events.js';
import { type IssuanceRequest } from '../issuance-judgements.js';

/** Records an offer for a wallet. Refuses identity_not_eligible, and answers 429 after too many such refusals. */
export class OfferCredential extends Command<CredentialOffered['data']> {
  constructor(
    readonly data: IssuanceRequest & {
      /** Whether the wallet must give a code that only the person gets. */
      readonly asksCode: boolean;
      readonly dateOfBirth: string;
      readonly access: AccessRecord;
    },
  ) {
    super();
  }
}

/** Ends an offer, whose credits come back. Refuses offer_redeemed. A repeat changes nothing. */
export class WithdrawOffer extends Command<void> {
  constructor(
    readonly data: { readonly tenantId: TenantId; readonly credentialId: string; readonly access: AccessRecord },
  ) {
    super();
  }
}

/** Exchanges an offer for access, once. Returns until when. Throws WalletRefusal. */
export class AcceptOffer extends Command<Date> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      readonly credentialId: string;
      /** As the wallet gave it. */
      readonly code: string | undefined;
      readonly requestId: string;
    },
  ) {
    super();
  }
}

export interface Redeemed {
  /** One for each key. */
  readonly credentials: readonly string[];
  readonly expiresAt: Date;
}

/** Issues what was offered, to these keys. A repeat with the same keys answers the same. Throws WalletRefusal. */
export class RedeemOffer extends Command<Redeemed> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      readonly credentialId: string;
      readonly format: WalletFormat;
      /** Public keys of the wallet, which it proved that it has. Empty where the form is bound to none. */
      readonly holders: readonly JWK[];
      readonly access: AccessRecord;
    },
  ) {
    super();
  }
}
