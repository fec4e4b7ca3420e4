import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type IngestionRow } from '../../../projections/eligibility/eligibility.queries.js';
import { type RecordError } from '../domain/ingestion.events.js';

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

export class RecordErrorResponse {
  @ApiProperty({ description: 'Place of the record in the request, from 0' })
  record_index!: number;

  @ApiProperty({ example: 'IDENTITY_DELETED' })
  code!: string;

  @ApiProperty()
  detail!: string;
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

export const toErrorResponse = ({ recordIndex, code, detail }: RecordError): RecordErrorResponse => ({
  record_index: recordIndex,
  code,
  detail,
});

export const toStatusResponse = (ingestionId: string, status: IngestionRow): IngestionStatusResponse => ({
  ingestion_id: ingestionId,
  batch_id: ingestionId,
  status: status.status,
  records_received: status.recordsReceived,
  records_processed: status.recordsProcessed,
  errors: status.errors.map(toErrorResponse),
  received_at: status.receivedAt.toISOString(),
  completed_at: status.endedAt?.toISOString() ?? null,
  ...(status.identityId === null ? {} : { identity_id: status.identityId }),
  ...(status.superseded ? { superseded: true } : {}),
});
