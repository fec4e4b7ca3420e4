import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { RequiresRole } from '../../http/access.js';
import { EnumField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { ACCESSES_KEPT } from '../access-log.js';
import { type SecurityEvent } from '../domain/security.events.js';
import { SecurityLog } from '../security-log.js';
import { type Recorded } from '../../kernel/events.js';
import { type LoggedRequest, RequestLog } from '../../kernel/request-log.js';

const DEFAULT_RANGE_MS = 30 * 86_400_000;

const KINDS = { access_refused: 'AccessRefused.v1', log_read: 'LogRead.v1' } as const;

type Kind = keyof typeof KINDS;

class LogQuery {
  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default 30 days ago' })
  start_date?: Date;

  @RangeEdgeField('end', {
    optional: true,
    defaultDays: 30,
    description: 'Exclusive; a bare date is a whole UTC day; default now',
  })
  end_date?: Date;

  @TextField({ optional: true, description: 'The account of the caller' })
  tenant_id?: string;

  @IntegerField({ min: 1, max: 1_000, default: 100 })
  limit = 100;

  @IntegerField({ min: 0, optional: true, description: 'next of the page before; default the newest' })
  from?: number;
}

class AccessLogQuery extends LogQuery {
  @IntegerField({ min: 100, max: 599, optional: true, description: 'Status of the answer' })
  status?: number;

  @TextField({ optional: true, description: 'Route template, for example /api/v1/ingest' })
  route?: string;

  @TextField({ optional: true, max: 64, description: 'The entry of one request' })
  request_id?: string;
}

class SecurityLogQuery extends LogQuery {
  @EnumField(Object.keys(KINDS), { optional: true, description: 'Default all' })
  kind?: Kind;
}

class LogPagination {
  @ApiProperty({ type: 'integer' }) limit!: number;
  @ApiProperty({ description: 'Whether older entries may follow; a page may be short or empty even so' })
  has_more!: boolean;
  @ApiProperty({ type: 'integer', nullable: true, description: 'from of the next page' }) next!: number | null;
}

class AccessEntry {
  @ApiProperty({ type: 'integer' }) id!: number;
  @ApiProperty({ format: 'date-time', description: 'When it was answered' }) timestamp!: string;
  @ApiProperty() method!: string;
  @ApiProperty({ description: 'Route template; unknown where there is no such path' }) route!: string;
  @ApiProperty({ type: 'integer' }) status!: number;
  @ApiProperty({ type: String, nullable: true }) error_code!: string | null;
  @ApiProperty() duration_ms!: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'What it cost; null where the answer named no price' })
  credits!: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Null where no account was recognised' })
  tenant_id!: string | null;
  @ApiProperty({ description: 'Id of the API key, keyed hash of the token’s subject, or anonymous' }) actor!: string;
  @ApiProperty() request_id!: string;
  @ApiProperty({
    type: 'integer',
    description:
      'More than 1: that many refused requests of strangers alike within a minute, of which this is the last',
  })
  requests!: number;
}

class SecurityEntry {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ enum: Object.keys(KINDS) }) kind!: Kind;
  @ApiProperty({ description: 'Method and route template; `other calls` where too many differed' }) action!: string;
  @ApiProperty({ type: 'integer' }) status!: number;
  @ApiProperty({ type: String, nullable: true }) error_code!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Null where no account was recognised' })
  tenant_id!: string | null;
  @ApiProperty({ description: 'Id of the API key, keyed hash of the token’s subject, or anonymous' }) actor!: string;
  @ApiProperty({ type: 'integer', description: 'Calls alike within five seconds on one instance' }) count!: number;
  @ApiProperty({ format: 'date-time' }) first_at!: string;
  @ApiProperty({ format: 'date-time' }) last_at!: string;
  @ApiProperty({ description: 'Of the first call' }) request_id!: string;
}

class AccessLogAnswer {
  @ApiProperty({ type: [AccessEntry] }) accesses!: AccessEntry[];
  @ApiProperty({ type: LogPagination }) pagination!: LogPagination;
}

class SecurityLogAnswer {
  @ApiProperty({ type: [SecurityEntry] }) events!: SecurityEntry[];
  @ApiProperty({ type: LogPagination }) pagination!: LogPagination;
}

const accessOf = (row: LoggedRequest): AccessEntry => ({
  id: Number(row.id),
  timestamp: row.answeredAt.toISOString(),
  method: row.method,
  route: row.route,
  status: row.status,
  error_code: row.errorCode,
  duration_ms: row.durationMs,
  credits: row.credits,
  tenant_id: row.tenantId,
  actor: row.actorId,
  request_id: row.requestId,
  requests: row.requests,
});

const eventOf = ({ id, type, data, metadata }: Recorded<SecurityEvent>): SecurityEntry => ({
  id,
  kind: type === KINDS.log_read ? 'log_read' : 'access_refused',
  action: data.action,
  status: data.status,
  error_code: data.code,
  tenant_id: data.tenantId,
  actor: metadata.actor.id,
  count: data.count,
  first_at: data.firstAt,
  last_at: data.lastAt,
  request_id: data.requestId,
});

/** Shows the logs of all accounts to auditors. No entry names a person. */
@ApiTags('Operators')
@Controller('admin')
export class SecurityLogsController {
  constructor(
    private readonly accesses: RequestLog,
    private readonly security: SecurityLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('access-log')
  @RequiresRole('security', 'admin')
  @RespondsWith(200, {
    summary: 'Requests that were answered, newest first',
    description: `Kept for ${ACCESSES_KEPT} days. A request appears within a second or two.`,
    type: AccessLogAnswer,
  })
  async listAccesses(@Query() query: AccessLogQuery): Promise<AccessLogAnswer> {
    const { tenant_id: tenantId, request_id: requestId, status, route, limit, from } = query;
    const statuses = { lowestStatus: status, highestStatus: status };
    const filter = { ...this.rangeOf(query), ...statuses, tenantId, requestId, route };
    const { rows, next } = await this.accesses.page(filter, limit, from);
    const pagination = { limit, has_more: next !== null, next: next === null ? null : Number(next.id) };
    return { accesses: rows.map(accessOf), pagination };
  }

  @Get('security-log')
  @RequiresRole('security', 'admin')
  @RespondsWith(200, {
    summary: 'Refused accesses and reads of the logs, newest first',
    description: 'Kept for 7 years. Calls alike are counted for five seconds and are then one entry.',
    type: SecurityLogAnswer,
  })
  async listSecurityEvents(@Query() query: SecurityLogQuery): Promise<SecurityLogAnswer> {
    const { tenant_id: tenantId, kind, limit, from } = query;
    const filter = { ...this.rangeOf(query), tenantId, type: kind && KINDS[kind] };
    const { records, next } = await this.security.page(filter, limit, from === undefined ? undefined : BigInt(from));
    const pagination = { limit, has_more: next !== undefined, next: next === undefined ? null : Number(next) };
    return { events: records.map(eventOf), pagination };
  }

  private rangeOf({ start_date: start, end_date: end }: LogQuery): { start: Date; end: Date } {
    const now = this.clock.now().getTime();
    // "Until now" includes entries of this moment, even if another instance's clock is ahead.
    return { start: start ?? new Date(now - DEFAULT_RANGE_MS), end: end ?? new Date(now + 1_000) };
  }
}
