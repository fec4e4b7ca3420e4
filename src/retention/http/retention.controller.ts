import { Controller, Get } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { purgeTimes } from '../../../projections/retention/retention.queries.js';
import { YEARS_KEPT } from '../../kernel/retention.js';
import { Context, RequiresKey } from '../../platform/http/access.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { ReadModels } from '../../platform/projections/projection.js';

/** Retention periods by kind of data (interface, "Other constants"). */
const POLICY = {
  audit_logs: `${YEARS_KEPT.records} years`,
  identity_data: `${YEARS_KEPT.identityData} years after last activity`,
  credentials: 'until revoked plus 1 year',
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

@Controller('api/v1/compliance/retention')
export class RetentionController {
  constructor(private readonly readModels: ReadModels) {}

  @Get()
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'How long data is kept, and when it was and will be purged', type: RetentionAnswer })
  async retention(@Context() context: RequestContext<TenantPrincipal>): Promise<RetentionAnswer> {
    const { lastPurge, nextPurge } = await purgeTimes(this.readModels, context.principal.tenantId, YEARS_KEPT.records);
    return {
      policy: POLICY,
      last_purge: lastPurge?.toISOString() ?? null,
      next_purge: nextPurge?.toISOString() ?? null,
    };
  }
}
