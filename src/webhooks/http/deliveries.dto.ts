import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ANNOUNCEMENT_TYPES, type AnnouncementType } from '../../kernel/contract.js';
import { EventStreamQuery } from '../../http/event-streams.js';
import { EnumField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../kernel/request-events.js';
import { type DeliveryRow, type DeliveryWithResponses } from '../delivery-record.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;

const UuidField = (description: string): PropertyDecorator =>
  TextField({ min: UUID_LENGTH, max: UUID_LENGTH, pattern: UUID, optional: true, takes: 'A UUID', description });

export class DeliveriesQuery {
  @EnumField(DELIVERY_STATUSES, { optional: true, description: 'Only deliveries with this status' })
  status?: DeliveryStatus;

  @EnumField(ANNOUNCEMENT_TYPES, { optional: true, description: 'Only deliveries of this event type' })
  event_type?: AnnouncementType;

  @RangeEdgeField('start', { optional: true, description: 'Only deliveries from then on' })
  since?: Date;

  @IntegerField({ min: 1, max: 100, default: 50 })
  limit = 50;

  @UuidField('The id of a delivery: older ones follow')
  before?: string;
}

export class FeedQuery {
  @UuidField('The id of the last event that was read; without it the feed begins with the oldest')
  after?: string;

  @IntegerField({ min: 1, max: 1_000, default: 100 })
  limit = 100;
}

export class StreamedFeedQuery extends EventStreamQuery {
  @UuidField('The id of the last event that was read; default the newest')
  after?: string;
}

class AttemptResponse {
  @ApiProperty() attempt!: number;
  @ApiProperty({ format: 'date-time' }) began_at!: string;
  @ApiProperty({ description: 'Milliseconds' }) duration_ms!: number;
  @ApiProperty({ type: Number, nullable: true }) response_status!: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'Seconds that a 429 or 503 asked for, 24 hours at most' })
  retry_after!: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Why no answer came' }) error!: string | null;
}

class DeliveryFacts {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ format: 'uuid' }) endpoint_id!: string;
  @ApiProperty({ format: 'uuid' }) event_id!: string;
  @ApiProperty({ enum: ANNOUNCEMENT_TYPES }) event_type!: string;
  @ApiProperty({ enum: DELIVERY_STATUSES, description: 'failed: no further try follows' }) status!: DeliveryStatus;
  @ApiProperty() test!: boolean;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) next_attempt_at!: string | null;
}

export class DeliveryResponse extends DeliveryFacts {
  @ApiProperty({ type: [AttemptResponse], description: 'Oldest first' }) attempts!: AttemptResponse[];
}

class ReceiverAnswer {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'content-type': 'text/plain' },
    description: 'Ten at most, without cookies',
  })
  headers!: Readonly<Record<string, string>>;
  @ApiProperty({ example: 'unknown signature', description: 'The first 1,024 bytes, as text' }) body!: string;
}

class AnsweredAttemptResponse extends AttemptResponse {
  @ApiProperty({
    type: ReceiverAnswer,
    nullable: true,
    example: { headers: { 'content-type': 'text/plain' }, body: 'unknown signature' },
    description: 'null where none came, or it was erased',
  })
  response!: ReceiverAnswer | null;
}

export class AnsweredDeliveryResponse extends DeliveryFacts {
  @ApiProperty({ type: [AnsweredAttemptResponse], description: 'Oldest first' }) attempts!: AnsweredAttemptResponse[];
}

export class DeliveriesResponse {
  @ApiProperty({ type: [DeliveryResponse], description: 'Newest first' }) deliveries!: DeliveryResponse[];
  @ApiProperty({ description: 'Older deliveries follow' }) has_more!: boolean;
}

class HourOfDeliveriesResponse {
  @ApiProperty({ format: 'date-time', description: 'Its beginning' }) hour!: string;
  @ApiProperty({ type: 'integer', example: 12 }) delivered!: number;
  @ApiProperty({ type: 'integer', example: 0 }) failed!: number;
  @ApiProperty({ type: 'integer', example: 0, description: 'Further tries follow' }) pending!: number;
}

export class EndpointHealthResponse {
  @ApiProperty({
    type: [HourOfDeliveriesResponse],
    description: 'Oldest first, by when a delivery was created, without tests',
  })
  hours!: HourOfDeliveriesResponse[];
  @ApiProperty({ description: 'There were more than 50,000: the oldest hours are not whole' }) is_part!: boolean;
}

export class RedeliveryResponse {
  @ApiProperty({ format: 'uuid', description: 'A new delivery of the same event' }) delivery_id!: string;
  @ApiProperty({ enum: ['pending'] }) status!: 'pending';
}

export class RedeliverFailedBody {
  @RangeEdgeField('start', { description: 'Deliveries that were created from then on; 30 days are kept' })
  since!: Date;
}

export class RedeliveriesResponse {
  @ApiProperty({ type: 'integer', example: 12, description: 'New deliveries' }) deliveries!: number;
  @ApiProperty({ description: 'Others may have failed, too: ask again' }) has_more!: boolean;
}

export class EventResponse {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ enum: ANNOUNCEMENT_TYPES }) event_type!: string;
  @ApiProperty({ enum: ANNOUNCEMENT_TYPES, description: 'The same as event_type' }) type!: string;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time', description: 'The same as created_at' }) timestamp!: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) event_data!: Readonly<Record<string, unknown>>;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The same as event_data' })
  data!: Readonly<Record<string, unknown>>;
  @ApiPropertyOptional({ description: 'true in a test delivery' }) test?: true;
}

export class FeedResponse {
  @ApiProperty({ type: [EventResponse], description: 'Oldest first, each as a receiver gets it' })
  events!: EventResponse[];
  @ApiProperty({ description: 'Newer events follow' }) has_more!: boolean;
}

const factsOf = (row: Omit<DeliveryRow, 'attempts'>) =>
  ({
    id: row.id,
    endpoint_id: row.endpointId,
    event_id: row.eventId,
    event_type: row.type,
    status: row.status,
    test: row.test,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  }) satisfies DeliveryFacts;

const timed = <Try extends DeliveryRow['attempts'][number]>(attempt: Try): Try => ({
  ...attempt,
  began_at: new Date(attempt.began_at).toISOString(),
});

export const toDeliveryResponse = (row: DeliveryRow): DeliveryResponse => ({
  ...factsOf(row),
  attempts: row.attempts.map(timed),
});

/** `responses`: of the tries, in their order. */
export const toAnsweredDelivery = (
  row: DeliveryWithResponses,
  responses: readonly (ReceiverAnswer | null)[],
): AnsweredDeliveryResponse => ({
  ...factsOf(row),
  attempts: row.attempts.map((attempt, index) => ({ ...timed(attempt), response: responses[index] ?? null })),
});
