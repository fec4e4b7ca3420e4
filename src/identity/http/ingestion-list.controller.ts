import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  type IngestionCursor,
  ingestionPage,
  type ListedIngestion,
} from '../../../projections/eligibility/ingestions.queries.js';
import { isUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { ReadModels } from '../../log/project/projection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { EnumField, IntegerField, TextField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { instantOf } from '../../http/time.js';

const STATUSES = ['accepted', 'completed', 'failed'] as const;

const CURSOR_EXAMPLE = '2026-11-21T09:30:00.000Z_2299d17d-c755-4826-bc04-922d64cfcff8';

class IngestionsQuery {
  @EnumField(STATUSES, { optional: true, description: 'Default all' })
  status?: string;

  @IntegerField({ min: 1, max: 500, default: 100 })
  limit = 100;

  @TextField({ optional: true, description: 'The next_cursor of a page', example: CURSOR_EXAMPLE })
  cursor?: string;
}

class ListedIngestionAnswer {
  @ApiProperty({ format: 'uuid' }) ingestion_id!: string;
  @ApiProperty({ enum: ['single', 'batch'] }) kind!: string;
  @ApiProperty({ enum: STATUSES, example: 'completed' }) status!: string;
  @ApiProperty({ type: 'integer' }) records_received!: number;
  @ApiProperty({ type: 'integer' }) records_processed!: number;
  @ApiProperty({ type: 'integer', example: 0, description: 'Records that were refused or failed' }) errors!: number;
  @ApiProperty({ format: 'date-time' }) received_at!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) completed_at!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of a single ingestion that completed' })
  identity_id!: string | null;
}

class IngestionPage {
  @ApiProperty({ type: [ListedIngestionAnswer], description: 'Newest first' }) ingestions!: ListedIngestionAnswer[];
  @ApiProperty({ type: String, nullable: true, example: CURSOR_EXAMPLE }) next_cursor!: string | null;
}

const formatCursor = ({ receivedAt, ingestionId }: IngestionCursor): string =>
  `${receivedAt.toISOString()}_${ingestionId}`;

const parseCursor = (text: string): IngestionCursor => {
  const [time = '', ingestionId = ''] = text.split('_');
  const receivedAt = instantOf(time);
  if (receivedAt === undefined || !isUuid(ingestionId))
    throw refuse('invalid_field', { field: 'cursor', detail: 'The next_cursor of a page' });
  return { receivedAt, ingestionId };
};

const toListed = (row: ListedIngestion): ListedIngestionAnswer => ({
  ingestion_id: row.ingestionId,
  kind: row.kind,
  status: row.status,
  records_received: row.recordsReceived,
  records_processed: row.recordsProcessed,
  errors: row.errors,
  received_at: row.receivedAt.toISOString(),
  completed_at: row.endedAt?.toISOString() ?? null,
  identity_id: row.identityId,
});

/** What was taken in, without anything personal. */
@ApiTags('Ingestion')
@Controller('api/v1/ingest')
export class IngestionListController {
  constructor(private readonly readModels: ReadModels) {}

  @Get()
  @RequiresKey('ingest')
  @RespondsWith(200, { summary: 'The ingestions of the account, newest first', type: IngestionPage })
  async listIngestions(
    @Query() { status, limit, cursor }: IngestionsQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<IngestionPage> {
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const wanted = { status, after, limit: limit + 1 };
    const rows = await ingestionPage(this.readModels, context.principal.tenantId, wanted);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next_cursor = rows.length > limit && last !== undefined ? formatCursor(last) : null;
    return { ingestions: shown.map(toListed), next_cursor };
  }
}
