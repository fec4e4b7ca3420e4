import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type OfferEnding, type OfferSummary } from '../../../../projections/credentials/offers.queries.js';
import { Pagination } from '../../../http/pagination.js';
import { type Tier, TIERS } from '../../../kernel/kyc.js';
import { jtiOf } from '../../domain/credential-claims.js';
import {
  type CredentialOffered,
  OFFER_ENDS,
  OFFER_STATUSES,
  type OfferStatus,
  WALLET_NOTICES,
  type WalletNotice,
} from '../../domain/offer.events.js';
import { type OfferLinks, type OpenedOffer } from '../offer-reader.js';

const OFFER = '0b9c3d2e-6c1f-4f0e-9a58-0f6f3f6f6a11';
const URI = 'https://kyc.example.org/openid4vci/offers/eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn';
const LINK = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(URI)}`;
const ENDINGS = [...OFFER_ENDS, 'unpaid'] satisfies readonly OfferEnding[];

export class NewOfferResponse {
  @ApiProperty({ format: 'uuid', example: OFFER })
  offer_id!: string;

  @ApiProperty({ format: 'uri', example: URI, description: 'Where a wallet reads the offer' })
  credential_offer_uri!: string;

  @ApiProperty({ example: LINK, description: 'Opens a wallet on the device of the person; show it as a QR code' })
  deep_link!: string;

  @ApiPropertyOptional({ example: '493536', description: 'The code, if you asked for one; give it another way' })
  tx_code?: string;

  @ApiProperty({ format: 'date-time', description: 'Unless a wallet redeems it by then, its credits come back' })
  expires_at!: string;
}

export class OfferSummaryResponse {
  @ApiProperty({ format: 'uuid', example: OFFER })
  offer_id!: string;

  @ApiProperty({ example: 'idn_6d443b47d9f1b06b3fd7f492f9561458' })
  identity_id!: string;

  @ApiProperty({ enum: TIERS })
  tier!: Tier;

  @ApiProperty({ enum: OFFER_STATUSES })
  status!: OfferStatus;

  @ApiProperty({ type: String, enum: ENDINGS, nullable: true, description: 'Why nothing is issued for it' })
  ended_because!: OfferEnding | null;

  @ApiProperty({ format: 'date-time' })
  offered_at!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiProperty({ type: String, nullable: true, example: jtiOf(OFFER), description: 'Once a wallet has redeemed it' })
  credential_id!: string | null;
}

export class OfferResponse extends OfferSummaryResponse {
  @ApiProperty({ type: [String], enum: WALLET_NOTICES, description: 'What the wallet said of the credential' })
  wallet_notices!: readonly WalletNotice[];

  @ApiProperty({ type: String, nullable: true, example: URI, description: 'Null unless the offer waits for a wallet' })
  credential_offer_uri!: string | null;

  @ApiProperty({ type: String, nullable: true, example: LINK })
  deep_link!: string | null;
}

export class OfferListResponse {
  @ApiProperty({ type: [OfferSummaryResponse] })
  offers!: OfferSummaryResponse[];

  @ApiProperty({ type: Pagination })
  pagination!: Pagination;
}

export const toNewOffer = (
  { credentialId, expiresAt }: CredentialOffered['data'],
  { uri, deepLink }: OfferLinks,
  code: string | undefined,
): NewOfferResponse => ({
  offer_id: credentialId,
  credential_offer_uri: uri,
  deep_link: deepLink,
  ...(code === undefined ? {} : { tx_code: code }),
  expires_at: expiresAt,
});

type SummaryMembers = Pick<OfferSummaryResponse, keyof OfferSummaryResponse>;

export const toOfferSummary = (row: OfferSummary): SummaryMembers => ({
  offer_id: row.credentialId,
  identity_id: row.identityId,
  tier: row.tier,
  status: row.status,
  ended_because: row.endedBecause,
  offered_at: row.offeredAt.toISOString(),
  expires_at: row.until.toISOString(),
  credential_id: row.status === 'redeemed' ? jtiOf(row.credentialId) : null,
});

export const toOffer = ({ offered, status, endedBecause, until, notices, links }: OpenedOffer): OfferResponse => {
  const { credentialId, identityId, tier, offeredAt } = offered;
  const row = { credentialId, identityId, tier, status, endedBecause, offeredAt: new Date(offeredAt), until };
  return {
    ...toOfferSummary(row),
    wallet_notices: notices,
    credential_offer_uri: links?.uri ?? null,
    deep_link: links?.deepLink ?? null,
  };
};
