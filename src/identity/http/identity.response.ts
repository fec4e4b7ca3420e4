import { type ShownActor, shownActor } from '../../kernel/audit-actors.js';
import { ActorResponse } from '../../http/actor.response.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { KYC_STATUSES, type KycStatus, type Tier, TIERS } from '../../kernel/kyc.js';
import { type Identity } from '../domain/identity.js';
import { LIFE_KINDS, type LifeKind, type LifeStep } from '../identity-life.js';
import { type OpenedIdentity } from '../identity-reader.js';

export type LifeStatus = 'active' | 'soft_deleted';

export const lifeStatus = ({ phase }: Identity): LifeStatus => (phase === 'deleted' ? 'soft_deleted' : 'active');

export class IdentityResponse {
  @ApiProperty({ example: 'idn_6d443b47d9f1b06b3fd7f492f9561458' })
  identity_id!: string;

  @ApiProperty({ enum: ['active', 'soft_deleted'] })
  status!: LifeStatus;

  @ApiProperty()
  email!: string;

  @ApiProperty()
  phone_number!: string;

  @ApiProperty()
  full_name!: string;

  @ApiPropertyOptional({ format: 'date' })
  date_of_birth?: string;

  @ApiProperty({ enum: KYC_STATUSES })
  kyc_status!: KycStatus;

  @ApiProperty({ enum: TIERS })
  tier!: Tier;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  kyc_expires_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When APPROVED was last ingested' })
  last_verified_at!: string | null;

  @ApiPropertyOptional()
  document_reference?: string;

  @ApiPropertyOptional()
  data_source_id?: string;

  @ApiPropertyOptional({ description: "The caller's own id of the record" })
  external_id?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  extra_data?: Readonly<Record<string, unknown>>;

  @ApiProperty({ format: 'date-time', description: 'Receipt of the ingestion that the record stems from' })
  updated_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  deleted_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  purge_at?: string;
}

export const toIdentityResponse = ({ identity, record, personal, kycStatus }: OpenedIdentity): IdentityResponse => ({
  identity_id: record.identityId,
  status: lifeStatus(identity),
  email: personal.email,
  phone_number: personal.phone_number,
  full_name: personal.full_name,
  ...(personal.date_of_birth === undefined ? {} : { date_of_birth: personal.date_of_birth }),
  kyc_status: kycStatus,
  tier: record.tier,
  kyc_expires_at: record.kycExpiresAt,
  last_verified_at: record.lastVerifiedAt,
  ...(personal.document_reference === undefined ? {} : { document_reference: personal.document_reference }),
  ...(personal.data_source_id === undefined ? {} : { data_source_id: personal.data_source_id }),
  ...(personal.external_id === undefined ? {} : { external_id: personal.external_id }),
  ...(personal.extra_data === undefined ? {} : { extra_data: personal.extra_data }),
  updated_at: record.receivedAt,
  ...(identity.deletedAt === null ? {} : { deleted_at: identity.deletedAt }),
  ...(identity.purgeAt === null ? {} : { purge_at: identity.purgeAt }),
});

class IdentityReference {
  @ApiProperty()
  identity_id!: string;

  @ApiProperty({ enum: ['active', 'soft_deleted'] })
  status!: LifeStatus;
}

export class IdentityListResponse {
  @ApiProperty({ type: [IdentityReference], description: 'The identity with this e-mail and phone, or none' })
  identities!: IdentityReference[];
}

export class DeletionResponse {
  @ApiProperty()
  identity_id!: string;

  @ApiProperty({ enum: ['soft_deleted'] })
  status!: 'soft_deleted';

  @ApiProperty({ format: 'date-time' })
  deleted_at!: string;

  @ApiProperty({ format: 'date-time', description: 'From when on it cannot be restored and is erased for good' })
  purge_at!: string;
}

export class ErasureResponse {
  @ApiProperty()
  identity_id!: string;

  @ApiProperty({ enum: ['erasing', 'proposed', 'kept'], description: 'proposed: another person is to approve it' })
  status!: 'erasing' | 'proposed' | 'kept';

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where the certificate is, once the erasure is complete; 404 until then. null: nothing is erased',
  })
  certificate!: string | null;
}

export class ErasureProposalResponse {
  @ApiProperty({ format: 'uuid', description: 'An approval or a rejection names it' }) proposal_id!: string;
  @ApiProperty({ type: ActorResponse, example: { type: 'api_key', key_id: 'HyBJKgiB' } }) proposed_by!: ShownActor;
  @ApiProperty({ format: 'date-time' }) proposed_at!: string;
}

export class RestorationResponse {
  @ApiProperty()
  identity_id!: string;

  @ApiProperty({ enum: ['active'] })
  status!: 'active';
}

export class ErasureCertificateResponse {
  @ApiProperty()
  identity_id!: string;

  @ApiProperty({ format: 'date-time' })
  erased_at!: string;

  @ApiProperty({ description: 'A signed JWT; verifies with the keys at /.well-known/jwks.json' })
  certificate!: string;
}

class LifeStepResponse {
  @ApiProperty({ enum: [...new Set(Object.values(LIFE_KINDS))] }) kind!: LifeKind;
  @ApiProperty({ format: 'date-time' }) at!: string;
  @ApiProperty({ type: ActorResponse, description: 'service: it follows from what happened before' })
  actor!: ShownActor;
  @ApiProperty({ description: 'Of the request that it follows from: the audit log has its entry' }) request_id!: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Of ingested and updated' })
  ingestion_id!: string | null;
  @ApiProperty({ enum: KYC_STATUSES, type: String, nullable: true, description: 'Of ingested and updated' })
  kyc_status!: KycStatus | null;
  @ApiProperty({ enum: TIERS, type: String, nullable: true, description: 'Of ingested, updated and verified' })
  tier!: Tier | null;
}

export class IdentityLifeResponse {
  @ApiProperty({ example: 'idn_6d443b47d9f1b06b3fd7f492f9561458' }) identity_id!: string;
  @ApiProperty({ type: [LifeStepResponse], description: 'Newest first' }) life!: LifeStepResponse[];
}

export const toLifeStep = ({ kind, at, by, requestId, ingestionId, kycStatus, tier }: LifeStep): LifeStepResponse => ({
  kind,
  at,
  actor: shownActor(by),
  request_id: requestId,
  ingestion_id: ingestionId,
  kyc_status: kycStatus,
  tier,
});
