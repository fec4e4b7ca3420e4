import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  type AuditFilter,
  type AuditLogEntry,
  AUDIT_LOG,
  auditPage,
} from '../../../projections/ledger/audit-log.queries.js';
import { AUDIT_ACTIONS, AUDIT_RESULTS, type AuditAction, AuditEntries } from '../../kernel/access.js';
import { type Clock } from '../../kernel/clock.js';
import { EventProofs, MOST_PROOFS } from '../../kernel/event-proofs.js';
import { type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../platform/http/access.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { BooleanField, EnumField, IntegerField, RangeEdgeField } from '../../platform/http/fields.js';
import { Pagination, paginationOf } from '../../platform/http/pagination.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { ReadModels } from '../../platform/projections/projection.js';
import { CLOCK } from '../../platform/tokens.js';
import { WritePositions } from '../write-positions.js';

const DEFAULT_RANGE_MS = 30 * 86_400_000;
/** How long a query waits for entries that this instance has written itself. */
const OWN_ENTRIES_BUDGET_MS = 1_000;

class AuditLogQuery {
  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default 30 days ago' })
  start_date?: Date;

  @RangeEdgeField('end', { optional: true, description: 'Exclusive; a bare date is a whole UTC day; default now' })
  end_date?: Date;

  @EnumField(AUDIT_ACTIONS, { optional: true, description: 'Default all' })
  action?: AuditAction;

  @IntegerField({ min: 1, max: 1_000, default: 100 })
  limit?: number;

  @IntegerField({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 })
  offset?: number;

  @BooleanField({
    optional: true,
    description: `With true, each entry carries its proof; limit then at most ${MOST_PROOFS}`,
  })
  proof?: boolean;
}

class AuditLogEntryAnswer {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  timestamp!: string;

  @ApiProperty({ enum: AUDIT_ACTIONS })
  action!: string;

  @ApiProperty({ description: 'Keyed hash of e-mail and phone; empty where none was named, or it was erased' })
  identity_hash!: string;

  @ApiProperty({ enum: AUDIT_RESULTS })
  result!: string;

  @ApiProperty({ description: 'Empty where it was erased' })
  ip_address!: string;

  @ApiProperty({ description: 'Empty where the caller sent none, or it was erased' })
  user_agent!: string;

  @ApiProperty()
  request_id!: string;

  @ApiProperty({
    type: Object,
    nullable: true,
    required: false,
    description:
      'With proof=true: the proof file (docs/contract.md, Proofs) of its event; null where there is none yet',
  })
  proof?: object | null;
}

class AuditLogAnswer {
  @ApiProperty({ type: [AuditLogEntryAnswer] })
  logs!: AuditLogEntryAnswer[];

  @ApiProperty({ type: Pagination })
  pagination!: Pagination;
}

@ApiTags('Compliance')
@Controller('api/v1/compliance/audit-log')
export class AuditLogController {
  constructor(
    private readonly readModels: ReadModels,
    private readonly entries: AuditEntries,
    private readonly own: WritePositions,
    private readonly proofs: EventProofs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'Who looked at what, newest first', type: AuditLogAnswer })
  async getAuditLog(
    @Query() { start_date: start, end_date: end, action, limit = 100, offset = 0, proof: proven }: AuditLogQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<AuditLogAnswer> {
    const { tenantId } = context.principal;
    if (proven === true && limit > MOST_PROOFS)
      throw refuse('invalid_field', { field: 'limit', detail: `At most ${MOST_PROOFS} with proof=true` });
    const now = this.clock.now();
    const filter: AuditFilter = {
      tenantId,
      start: start ?? new Date(now.getTime() - DEFAULT_RANGE_MS),
      // "Until now" includes entries of this moment, even if another instance's clock is ahead.
      end: end ?? new Date(now.getTime() + 1_000),
      action,
    };
    const written = this.own.lastPosition(tenantId);
    if (written !== undefined) await this.readModels.waitFor(AUDIT_LOG, written, OWN_ENTRIES_BUDGET_MS);
    const { total, entries } = await auditPage(this.readModels, filter, { limit, offset });
    const logs = await Promise.all(entries.map((entry) => this.toAnswer(tenantId, entry)));
    if (proven === true) await this.prove(tenantId, logs);
    return { logs, pagination: paginationOf({ limit, offset }, { total, shown: logs.length }) };
  }

  private async prove(tenantId: TenantId, logs: readonly AuditLogEntryAnswer[]): Promise<void> {
    const ids = logs.map(({ id }) => id);
    const proofs = await this.proofs.of(tenantId, ids);
    for (const entry of logs) entry.proof = proofs.get(entry.id) ?? null;
  }

  private async toAnswer(tenantId: TenantId, entry: AuditLogEntry): Promise<AuditLogEntryAnswer> {
    const { identityHash, ipAddress, userAgent } = await this.entries.open(tenantId, entry);
    return {
      id: entry.eventId,
      timestamp: entry.occurredAt.toISOString(),
      action: entry.action,
      identity_hash: identityHash,
      result: entry.result,
      ip_address: ipAddress,
      user_agent: userAgent,
      request_id: entry.requestId,
    };
  }
}
