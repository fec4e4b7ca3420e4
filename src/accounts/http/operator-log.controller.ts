import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { Accepted } from '../../http/accept.js';
import { RequiresRole } from '../../http/access.js';
import { CSV, ENTRY_FORMATS, NDJSON, streamed } from '../../http/entry-files.js';
import { ChoicesField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { OPERATOR_OUTCOMES, type OperatorOutcome } from '../../http/operator-trail.js';
import { type RawResponse, RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { type OperatorFilter, OperatorLog } from '../operator-log.js';
import {
  OPERATOR_LOG_TABLE,
  OperatorLogAnswer,
  type OperatorLogEntry,
  toOperatorLogEntry,
} from './operator-log.response.js';

const DEFAULT_RANGE_MS = 30 * 86_400_000;
const DEFAULT_LIMIT = 100;

class OperatorLogQuery {
  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default 30 days ago' })
  start_date?: Date;

  @RangeEdgeField('end', {
    optional: true,
    defaultDays: 30,
    description: 'Exclusive; a bare date is a whole UTC day; default now',
  })
  end_date?: Date;

  @TextField({ optional: true, description: 'Method and path, for example POST /admin/accounts/{id}/suspend' })
  action?: string;

  @TextField({ optional: true, description: 'The account that the path named' })
  tenant_id?: string;

  @TextField({
    optional: true,
    description: 'The token’s subject, the name that a command line gave, or its keyed hash',
  })
  operator?: string;

  @TextField({ optional: true, max: 64, description: 'The entry of one request' })
  request_id?: string;

  @ChoicesField(OPERATOR_OUTCOMES, {
    optional: true,
    description: 'One or several, with commas or repeated; default all',
  })
  outcome?: OperatorOutcome[];

  @IntegerField({ min: 1, max: 1_000, optional: true, description: 'Default 100; of CSV and NDJSON all entries' })
  limit?: number;

  @IntegerField({ min: 0, optional: true, description: 'next_cursor of the page before; default the newest' })
  cursor?: number;

  @IntegerField({ min: 0, optional: true, description: 'The same as cursor' })
  from?: number;
}

/** Shows the operators' acts to auditors. */
@ApiTags('Operators')
@Controller('admin/audit-log')
export class OperatorLogController {
  constructor(
    private readonly log: OperatorLog,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, {
    summary: 'What operators did, newest first',
    description:
      'With Accept: text/csv or application/x-ndjson all matching entries are streamed, or the first `limit`.',
    type: OperatorLogAnswer,
    content: [{ type: CSV }, { type: NDJSON }],
  })
  listOperatorActions(
    @Query() query: OperatorLogQuery,
    @Accepted(ENTRY_FORMATS) format: string,
  ): Promise<OperatorLogAnswer> | RawResponse {
    const [json] = ENTRY_FORMATS;
    return format === json ? this.pageOf(query) : streamed(this.entries(query), format, OPERATOR_LOG_TABLE);
  }

  private async pageOf(query: OperatorLogQuery): Promise<OperatorLogAnswer> {
    const { limit = DEFAULT_LIMIT } = query;
    const { records, next } = await this.log.page(this.filterOf(query), limit, startOf(query));
    const next_cursor = next === undefined ? null : Number(next);
    const pagination = { limit, has_more: next_cursor !== null, next_cursor, next: next_cursor };
    return { logs: records.map(toOperatorLogEntry), pagination };
  }

  private async *entries(query: OperatorLogQuery): AsyncGenerator<OperatorLogEntry[]> {
    const { limit = Infinity } = query;
    for await (const records of this.log.pages(this.filterOf(query), limit, startOf(query)))
      yield records.map(toOperatorLogEntry);
  }

  private filterOf(query: OperatorLogQuery): OperatorFilter {
    const now = this.clock.now().getTime();
    return {
      start: query.start_date ?? new Date(now - DEFAULT_RANGE_MS),
      // "Until now" includes entries of this moment, even if another instance's clock is ahead.
      end: query.end_date ?? new Date(now + 1_000),
      action: query.action,
      tenantId: query.tenant_id,
      operators: query.operator === undefined ? undefined : [query.operator, this.hashes.actor(query.operator)],
      requestId: query.request_id,
      outcomes: query.outcome,
    };
  }
}

const startOf = ({ cursor, from }: OperatorLogQuery): bigint | undefined => {
  const start = cursor ?? from;
  return start === undefined ? undefined : BigInt(start);
};
