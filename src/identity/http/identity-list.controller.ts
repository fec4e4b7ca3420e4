import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { identitiesOfLife, type IdentityRow } from '../../../projections/eligibility/identities.queries.js';
import { KYC_STATUSES, TIERS } from '../../kernel/kyc.js';
import { ReadModels } from '../../log/project/projection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { EnumField, IntegerField, TextField } from '../../http/fields.js';
import { IdentityIdField } from '../../http/fields/identity-id.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { type LifeStatus } from './identity.response.js';

const LIVES: readonly LifeStatus[] = ['active', 'soft_deleted'];

const EXAMPLE = 'idn_6d443b47d9f1b06b3fd7f492f9561458';

class IdentitiesQuery {
  @EnumField(LIVES, { optional: true, description: 'Default all' })
  status?: LifeStatus;

  @IdentityIdField('Only this one')
  identity_id?: string;

  @IntegerField({ min: 1, max: 500, default: 100 })
  limit = 100;

  @TextField({ optional: true, pattern: /^idn_[0-9a-f]{32}$/, takes: 'The next_cursor of a page', example: EXAMPLE })
  cursor?: string;
}

class ListedIdentity {
  @ApiProperty({ example: EXAMPLE }) identity_id!: string;
  @ApiProperty({ enum: LIVES }) status!: LifeStatus;
  @ApiProperty({ enum: KYC_STATUSES }) kyc_status!: string;
  @ApiProperty({ enum: TIERS }) tier!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) kyc_expires_at!: string | null;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) deleted_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it is erased for good' })
  purge_at!: string | null;
}

class IdentityPage {
  @ApiProperty({ type: [ListedIdentity], description: 'In order of their ids' }) identities!: ListedIdentity[];
  @ApiProperty({ type: String, nullable: true, example: EXAMPLE })
  next_cursor!: string | null;
}

const toListed = (row: Omit<IdentityRow, 'personal'>): ListedIdentity => ({
  identity_id: row.identityId,
  status: row.deletedAt === null ? 'active' : 'soft_deleted',
  kyc_status: row.status,
  tier: row.tier,
  kyc_expires_at: row.kycExpiresAt?.toISOString() ?? null,
  updated_at: row.receivedAt.toISOString(),
  deleted_at: row.deletedAt?.toISOString() ?? null,
  purge_at: row.purgeAt?.toISOString() ?? null,
});

/** The account's identities without anything personal, so that no entry of the audit log is due. */
@ApiTags('Identities')
@Controller('api/v1/identity')
export class IdentityListController {
  constructor(private readonly readModels: ReadModels) {}

  @Get()
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'The identities of the account, without anything personal', type: IdentityPage })
  async listIdentities(
    @Query() { status, identity_id: only, limit, cursor = '' }: IdentitiesQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<IdentityPage> {
    const deleted = status === undefined ? undefined : status === 'soft_deleted';
    const wanted = { deleted, only, after: cursor, limit: limit + 1 };
    const rows = await identitiesOfLife(this.readModels, context.principal.tenantId, wanted);
    const shown = rows.slice(0, limit).map(toListed);
    const next_cursor = rows.length > limit ? (shown.at(-1)?.identity_id ?? null) : null;
    return { identities: shown, next_cursor };
  }
}
