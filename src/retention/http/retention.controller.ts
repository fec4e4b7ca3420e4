import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { RECORD_KINDS, type RecordKind } from '../../../projections/retention/purge-preview.queries.js';
import { YEARS_KEPT } from '../../kernel/retention.js';
import { Context, RequiresKey } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { PurgePreview } from '../purge-preview.js';

/** Retention periods by kind of data (docs/contract.md, Retention and erasure). */
const POLICY = {
  audit_logs: `${YEARS_KEPT.records} years`,
  identity_data: `${YEARS_KEPT.identityData} years after last activity`,
  credentials: 'until revoked or expired plus 1 year',
  billing_records: `${YEARS_KEPT.records} years`,
  api_access_log: '90 days',
  security_events: `${YEARS_KEPT.records} years`,
} as const;

class RetentionAnswer {
  @ApiProperty({ example: POLICY })
  policy!: typeof POLICY;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null before the first purge' })
  last_purge!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null where nothing is due' })
  next_purge!: string | null;
}

/** How long each kind of record is kept. */
const KEPT: Readonly<Record<RecordKind, string>> = {
  audit_logs: POLICY.audit_logs,
  billing_records: POLICY.billing_records,
  ingestions: `${YEARS_KEPT.identityData} years after they ended`,
  claims: `${YEARS_KEPT.records} years`,
  credentials: POLICY.credentials,
  reports: `${YEARS_KEPT.records} years`,
  identity_data: POLICY.identity_data,
  deleted_identities: '30 days after the deletion',
  report_files: '30 days',
};

class DueRecordsAnswer {
  @ApiProperty({ enum: RECORD_KINDS })
  kind!: RecordKind;

  @ApiProperty({ example: KEPT.audit_logs })
  kept!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of records that the purge takes; an open deduction may delay it',
  })
  due!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the oldest record reaches its limit. Null where there is none',
  })
  next_due!: string | null;
}

class PurgePreviewAnswer {
  @ApiProperty({ format: 'date-time', description: 'The purge that is counted: the beginning of the next UTC day' })
  run_at!: string;

  @ApiProperty({ type: [DueRecordsAnswer] })
  records!: DueRecordsAnswer[];
}

@ApiTags('Compliance')
@Controller('api/v1/compliance/retention')
export class RetentionController {
  constructor(private readonly preview: PurgePreview) {}

  @Get()
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'How long data is kept, and when it was and will be purged', type: RetentionAnswer })
  async getRetentionPolicy(@Context() context: RequestContext<TenantPrincipal>): Promise<RetentionAnswer> {
    const { lastPurge, nextPurge } = await this.preview.times(context.principal.tenantId);
    return {
      policy: POLICY,
      last_purge: lastPurge?.toISOString() ?? null,
      next_purge: nextPurge?.toISOString() ?? null,
    };
  }

  @Get('preview')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'What the next purge takes, and when the oldest record of each kind goes',
    description: 'Counts by kind of record. It names no person.',
    type: PurgePreviewAnswer,
  })
  async previewPurge(@Context() context: RequestContext<TenantPrincipal>): Promise<PurgePreviewAnswer> {
    const { runAt, records } = await this.preview.of(context.principal.tenantId);
    return {
      run_at: runAt.toISOString(),
      records: [...records].map(([kind, { due, nextDue }]) => {
        return { kind, kept: KEPT[kind], due, next_due: nextDue?.toISOString() ?? null };
      }),
    };
  }
}
