import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { RequiresRole } from '../../platform/http/access.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { IntegerField, RangeEdgeField, TextField } from '../../platform/http/fields.js';
import { ROLES } from '../../platform/http/request-context.js';
import { CLOCK } from '../../platform/tokens.js';
import { OperatorLog, type OperatorRecord } from '../operator-log.js';

const DEFAULT_RANGE_MS = 30 * 86_400_000;

class OperatorLogQuery {
  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default 30 days ago' })
  start_date?: Date;

  @RangeEdgeField('end', { optional: true, description: 'Exclusive; a bare date is a whole UTC day; default now' })
  end_date?: Date;

  @TextField({ optional: true, description: 'Method and path, for example POST /admin/accounts/{id}/suspend' })
  action?: string;

  @TextField({ optional: true, description: 'The account that the path named' })
  tenant_id?: string;

  @IntegerField({ min: 1, max: 1_000, default: 100 })
  limit?: number;

  @IntegerField({ min: 0, optional: true, description: 'next_cursor of the page before; default the newest' })
  cursor?: number;

  @IntegerField({ min: 0, optional: true, description: 'The same as cursor' })
  from?: number;
}

class OperatorLogEntry {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ format: 'date-time' }) timestamp!: string;
  @ApiProperty({ description: 'Method and path, for example POST /admin/accounts/{id}/suspend' }) action!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The account that the path named' })
  tenant_id!: string | null;
  @ApiProperty({ description: 'Keyed hash of the token’s subject' }) operator!: string;
  @ApiProperty({ enum: ROLES, isArray: true }) roles!: readonly string[];
  @ApiProperty() request_id!: string;
}

class OperatorLogPagination {
  @ApiProperty({ type: 'integer' }) limit!: number;
  @ApiProperty({ description: 'Whether older entries may follow; a page may be short or empty even so' })
  has_more!: boolean;
  @ApiProperty({ type: 'integer', nullable: true, description: 'cursor of the next page; null on the last' })
  next_cursor!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'The same as next_cursor' }) next!: number | null;
}

class OperatorLogAnswer {
  @ApiProperty({ type: [OperatorLogEntry] }) logs!: OperatorLogEntry[];
  @ApiProperty({ type: OperatorLogPagination }) pagination!: OperatorLogPagination;
}

const entryOf = ({ id, data, metadata }: OperatorRecord): OperatorLogEntry => ({
  id,
  timestamp: metadata.time,
  action: data.action,
  tenant_id: data.tenantId,
  operator: metadata.actor.id,
  roles: data.roles,
  request_id: metadata.$correlationId,
});

/** Shows the operators' acts to auditors. */
@ApiTags('Operators')
@Controller('admin/audit-log')
export class OperatorLogController {
  constructor(
    private readonly log: OperatorLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, { summary: 'What operators did, newest first', type: OperatorLogAnswer })
  async listOperatorActions(@Query() query: OperatorLogQuery): Promise<OperatorLogAnswer> {
    const { start_date: start, end_date: end, action, tenant_id: tenantId, limit = 100 } = query;
    const from = query.cursor ?? query.from;
    const now = this.clock.now().getTime();
    const filter = {
      start: start ?? new Date(now - DEFAULT_RANGE_MS),
      // "Until now" includes entries of this moment, even if another instance's clock is ahead.
      end: end ?? new Date(now + 1_000),
      action,
      tenantId,
    };
    const { records, next } = await this.log.page(filter, limit, from === undefined ? undefined : BigInt(from));
    const next_cursor = next === undefined ? null : Number(next);
    const pagination = { limit, has_more: next_cursor !== null, next_cursor, next: next_cursor };
    return { logs: records.map(entryOf), pagination };
  }
}
