import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type IngestionRow } from '../../../projections/eligibility/eligibility.queries.js';
import { type AcceptedIngestion } from '../commands.js';
import { type RecordError } from '../domain/ingestion.events.js';
import { type IngestedRecord, RECORD_STATUSES, type RecordStatus } from '../ingestion-records.js';

export class IngestionAcknowledgement {
  @ApiProperty({ enum: ['received'] })
  status!: 'received';

  @ApiProperty({ format: 'uuid' })
  ingestion_id!: string;

  @ApiProperty({ description: 'Moment of receipt', example: '2026-11-21T10:15:30.123Z' })
  timestamp!: string;

  @ApiProperty()
  message!: string;
}

export const toAcknowledgement = ({ ingestionId, receivedAt }: AcceptedIngestion): IngestionAcknowledgement => ({
  status: 'received',
  ingestion_id: ingestionId,
  timestamp: receivedAt,
  message: 'The record was accepted and is being processed',
});

class RecordFaultResponse {
  @ApiProperty({ example: 'IDENTITY_DELETED' })
  code!: string;

  @ApiProperty()
  detail!: string;
}

export class RecordErrorResponse extends RecordFaultResponse {
  @ApiProperty({ description: 'Place of the record in the request, from 0' })
  record_index!: number;

  @ApiPropertyOptional({ description: "The caller's own id of the record", example: 'customer-4711' })
  external_id?: string;
}

export class BatchAcknowledgement {
  @ApiProperty({ format: 'uuid' })
  batch_id!: string;

  @ApiProperty({ enum: ['accepted'] })
  status!: 'accepted';

  @ApiProperty({ description: 'Records in the request, invalid ones included' })
  records_received!: number;

  @ApiProperty({ type: [RecordErrorResponse], description: 'Records that were refused as invalid' })
  errors!: RecordErrorResponse[];
}

export class RetryResponse {
  @ApiProperty({ format: 'uuid' })
  ingestion_id!: string;

  @ApiProperty({ enum: ['accepted'] })
  status!: 'accepted';
}

export class IngestionStatusResponse {
  @ApiProperty({ format: 'uuid' })
  ingestion_id!: string;

  @ApiProperty({ format: 'uuid', description: 'The same as ingestion_id' })
  batch_id!: string;

  @ApiProperty({ enum: ['accepted', 'completed', 'failed'], example: 'completed' })
  status!: string;

  @ApiProperty()
  records_received!: number;

  @ApiProperty()
  records_processed!: number;

  @ApiProperty({ type: [RecordErrorResponse], example: [] })
  errors!: RecordErrorResponse[];

  @ApiProperty({ format: 'date-time' })
  received_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;

  @ApiPropertyOptional({ description: 'The identity of a single ingestion that completed' })
  identity_id?: string;

  @ApiPropertyOptional({
    description: 'A newer ingestion of the same identity was applied before this one',
    example: false,
  })
  superseded?: boolean;
}

type ExternalIds = ReadonlyMap<number, string>;

export const toErrorResponses = (errors: readonly RecordError[], ids: ExternalIds): RecordErrorResponse[] =>
  errors.map(({ recordIndex, code, detail }) => {
    const id = ids.get(recordIndex);
    return { record_index: recordIndex, ...(id === undefined ? {} : { external_id: id }), code, detail };
  });

export const toStatusResponse = (
  ingestionId: string,
  status: IngestionRow,
  ids: ExternalIds,
): IngestionStatusResponse => ({
  ingestion_id: ingestionId,
  batch_id: ingestionId,
  status: status.status,
  records_received: status.recordsReceived,
  records_processed: status.recordsProcessed,
  errors: toErrorResponses(status.errors, ids),
  received_at: status.receivedAt.toISOString(),
  completed_at: status.endedAt?.toISOString() ?? null,
  ...(status.identityId === null ? {} : { identity_id: status.identityId }),
  ...(status.superseded ? { superseded: true } : {}),
});

export class IngestedRecordResponse {
  @ApiProperty({ description: 'Place of the record in the request, from 0' })
  record_index!: number;

  @ApiProperty({ type: String, nullable: true, description: "The caller's own id of the record" })
  external_id!: string | null;

  @ApiProperty({ enum: RECORD_STATUSES, description: 'refused: invalid; completed: a check finds it' })
  status!: RecordStatus;

  @ApiProperty({ type: String, nullable: true, description: 'Null for a record that was refused' })
  identity_id!: string | null;

  @ApiProperty({ type: RecordFaultResponse, nullable: true })
  error!: RecordFaultResponse | null;
}

export class IngestedRecordsResponse {
  @ApiProperty({ type: [IngestedRecordResponse] })
  records!: IngestedRecordResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Null at the end' })
  next_cursor!: string | null;
}

/** `found` has one record more than the page where more follow. */
export const toRecordsResponse = (found: readonly IngestedRecord[], limit: number): IngestedRecordsResponse => ({
  records: found.slice(0, limit).map(({ recordIndex, externalId, status, identityId, error }) => ({
    record_index: recordIndex,
    external_id: externalId,
    status,
    identity_id: identityId,
    error: error === null ? null : { code: error.code, detail: error.detail },
  })),
  next_cursor: found.length > limit ? String(found[limit]?.recordIndex) : null,
});
