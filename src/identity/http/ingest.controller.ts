import { Body, Controller, Get, Headers, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type Clock } from '../../kernel/clock.js';
import { isUuid, newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { BATCH_BODY, RECORD_BODY } from '../../http/server-options.js';
import { Context, RequiresKey, TakesBody } from '../../http/access.js';
import { EnumField, IntegerField, TextField } from '../../http/fields.js';
import { RespondsWith } from '../../http/responses.js';
import { type FieldFault, HttpFailure } from '../../http/failure.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { CLOCK } from '../../platform/tokens.js';
import { AcceptIngestion, RetryIngestion } from '../commands.js';
import { IngestionRecords, RECORD_STATUSES, type RecordStatus } from '../ingestion-records.js';
import { IngestionStatuses } from '../ingestion-statuses.js';
import { BatchBody, judgeBatch } from './batch.dto.js';
import {
  BatchAcknowledgement,
  IngestionAcknowledgement,
  IngestedRecordsResponse,
  IngestionStatusResponse,
  RetryResponse,
  toAcknowledgement,
  toErrorResponses,
  toRecordsResponse,
  toStatusResponse,
} from './ingestion.response.js';
import { TakesPreferredWait, waitAsPreferred } from './prefer-wait.js';
import { RecordBody, singleIngestion } from './record.dto.js';

class RecordsQuery {
  @EnumField(RECORD_STATUSES, { optional: true, description: 'Default all' })
  status?: RecordStatus;

  @IntegerField({ min: 1, max: 500, default: 100 })
  limit?: number;

  @TextField({ optional: true, pattern: /^\d{1,4}$/, takes: 'The next_cursor of a page', example: '100' })
  cursor?: string;
}

const noValidRecord = (errors: readonly FieldFault[]): HttpFailure =>
  new HttpFailure(422, 'INVALID_FIELD', 'records: None of the records is valid', { beforeOperation: true, errors });

@ApiTags('Ingestion')
@Controller('api/v1/ingest')
export class IngestController {
  constructor(
    private readonly commands: CommandBus,
    private readonly statuses: IngestionStatuses,
    private readonly records: IngestionRecords,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresKey('ingest')
  @TakesBody(RECORD_BODY)
  @TakesPreferredWait()
  @RespondsWith(202, { summary: 'Take in an identity record', type: IngestionAcknowledgement })
  async ingest(
    @Body() body: RecordBody,
    @Context() context: RequestContext<TenantPrincipal>,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IngestionAcknowledgement> {
    const accepted = await this.commands.execute(singleIngestion(body, context));
    await waitAsPreferred(this.statuses, { ...accepted, tenantId: context.principal.tenantId, prefer, reply });
    return toAcknowledgement(accepted);
  }

  @Post('batch')
  @RequiresKey('ingest')
  @TakesBody(BATCH_BODY)
  @TakesPreferredWait()
  @RespondsWith(202, { summary: 'Take in up to 1,000 identity records', type: BatchAcknowledgement })
  async ingestBatch(
    @Body() body: BatchBody,
    @Context() context: RequestContext<TenantPrincipal>,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchAcknowledgement> {
    const { records, errors, faults, refusedIds } = judgeBatch(body, this.clock);
    if (records.length === 0) throw noValidRecord(faults);
    const accepted = await this.commands.execute(
      new AcceptIngestion({
        tenantId: context.principal.tenantId,
        ingestionId: context.keyed?.effectId('ingestion') ?? newUuid(),
        kind: 'batch',
        recordsReceived: body.records.length,
        records,
        errors,
        access: context,
      }),
    );
    await waitAsPreferred(this.statuses, { ...accepted, tenantId: context.principal.tenantId, prefer, reply });
    return {
      batch_id: accepted.ingestionId,
      status: 'accepted',
      records_received: body.records.length,
      errors: toErrorResponses(errors, refusedIds),
    };
  }

  @Post(':ingestionId/retry')
  @RequiresKey('ingest')
  @RespondsWith(202, { summary: 'Process a failed ingestion again', type: RetryResponse, refuses: ['CONFLICT'] })
  async retryIngestion(
    @Param('ingestionId') ingestionId: string,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<RetryResponse> {
    if (!isUuid(ingestionId)) throw refuse('not_found');
    const { tenantId } = context.principal;
    const retryId = context.keyed?.effectId('retry') ?? newUuid();
    await this.commands.execute(new RetryIngestion({ tenantId, ingestionId, retryId, access: context }));
    return { ingestion_id: ingestionId, status: 'accepted' };
  }

  @Get(':ingestionId')
  @RequiresKey('ingest')
  @RespondsWith(200, { summary: 'How far an ingestion has got', type: IngestionStatusResponse })
  async getIngestion(
    @Param('ingestionId') ingestionId: string,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<IngestionStatusResponse> {
    const { tenantId } = context.principal;
    const status = isUuid(ingestionId) ? await this.statuses.of(tenantId, ingestionId) : undefined;
    if (status === undefined) throw refuse('not_found');
    const names = await this.records.externalIds(tenantId, ingestionId, status.errors, context);
    return toStatusResponse(ingestionId, status, names);
  }

  @Get(':ingestionId/records')
  @RequiresKey('ingest')
  @RespondsWith(200, { summary: 'What became of each record of an ingestion', type: IngestedRecordsResponse })
  async listIngestedRecords(
    @Param('ingestionId') ingestionId: string,
    @Query() { status, cursor, limit = 100 }: RecordsQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<IngestedRecordsResponse> {
    const from = Number(cursor ?? 0);
    const found = isUuid(ingestionId)
      ? await this.records.page(context.principal.tenantId, ingestionId, { status, from, limit }, context)
      : undefined;
    if (found === undefined) throw refuse('not_found');
    return toRecordsResponse(found, limit);
  }
}
