import { ApiProperty } from '@nestjs/swagger';
import { AT, UUID } from '../../contract/examples.js';
import { ActorResponse } from '../../http/actor.response.js';
import { EnumField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { ACTOR_FORMS, type ActorType, actorOf, shownActor } from '../../kernel/audit-actors.js';
import { AUDIT_ACTIONS } from '../../kernel/contract.js';
import { DELIVERY_STATUSES } from '../../kernel/request-events.js';
import {
  type LoggedRequest,
  type RequestCounts,
  type RequestPlace,
  type WantedCounts,
} from '../../kernel/request-log.js';
import { TRANSACTION_TYPES, transactionIdOf } from '../../kernel/transactions.js';
import { type FollowedRequest } from '../request-reader.js';

const STATUS = /^[1-5](\d\d|xx)$/;

const ActorTypeField = (): PropertyDecorator =>
  EnumField(Object.keys(ACTOR_FORMS), {
    optional: true,
    description: 'Requests of keys, of members in the console, or of tokens alone',
  });

export class RequestsQuery {
  @TextField({
    optional: true,
    pattern: STATUS,
    takes: 'A status, or a class of them such as 4xx',
    description: 'Status of the answer, or a class of them: `404`, `4xx`',
  })
  status?: string;

  @TextField({
    optional: true,
    max: 200,
    description: 'Route as the paths here, for example /api/v1/requests/{request_id}',
  })
  route?: string;

  @TextField({ optional: true, max: 64, description: '`error.code` of the answer' })
  error_code?: string;

  @TextField({
    optional: true,
    pattern: /^([0-9A-Za-z]{8}|mbr_[0-9a-z]{26})$/,
    takes: 'The id of an API key or a member',
    description: 'Requests of one API key, or of one member in the console',
  })
  key_id?: string;

  @ActorTypeField()
  actor_type?: ActorType;

  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default 30 days ago' })
  since?: Date;

  @IntegerField({ min: 1, max: 200, default: 50 })
  limit = 50;

  @TextField({
    optional: true,
    max: 80,
    pattern: /^\d{13}_[0-9A-Za-z-]{16,64}$/,
    takes: 'The next_cursor of a page',
    description: 'The `next_cursor` of the page before',
    example: '1795861800250_2299d17d-c755-4826-bc04-922d64cfcff8',
  })
  cursor?: string;
}

export class RequestCountsQuery {
  @IntegerField({
    min: 1,
    max: 720,
    default: 24,
    description: 'How many hours back; from 73 on the counts are of UTC days',
  })
  hours = 24;

  @ActorTypeField()
  actor_type?: ActorType;
}

class RequestResponse {
  @ApiProperty() request_id!: string;
  @ApiProperty({ format: 'date-time', description: 'When it was answered' }) at!: string;
  @ApiProperty() method!: string;
  @ApiProperty({ description: 'As the paths here; unknown where there is no such path' }) route!: string;
  @ApiProperty({ type: 'integer' }) status!: number;
  @ApiProperty({ type: String, nullable: true, description: '`error.code` of a refusal' }) error_code!: string | null;
  @ApiProperty({ description: 'Milliseconds' }) duration_ms!: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'What it cost; null of calls without a price' })
  credits!: number | null;
  @ApiProperty({ type: ActorResponse }) actor!: ActorResponse;
}

export class RequestsResponse {
  @ApiProperty({ type: [RequestResponse] }) requests!: RequestResponse[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `cursor` of the next page; null on the last',
    example: '1795861800250_2299d17d-c755-4826-bc04-922d64cfcff8',
  })
  next_cursor!: string | null;
}

class TransactionOfRequest {
  @ApiProperty({ example: 'txn_17_0123456789abcdef' }) id!: string;
  @ApiProperty({ enum: TRANSACTION_TYPES }) type!: string;
  @ApiProperty({ type: 'integer', description: 'Credits; negative of a charge' }) amount!: number;
  @ApiProperty({ format: 'date-time' }) at!: string;
}

class EntryOfRequest {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ enum: AUDIT_ACTIONS }) action!: string;
  @ApiProperty({ format: 'date-time' }) at!: string;
}

class EventOfRequest {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ description: 'As in the feed of events' }) type!: string;
  @ApiProperty({ format: 'date-time' }) at!: string;
}

class DeliveryOfRequest {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ format: 'uuid' }) event_id!: string;
  @ApiProperty({ format: 'uuid' }) endpoint_id!: string;
  @ApiProperty({ enum: DELIVERY_STATUSES }) status!: string;
}

export class FollowedRequestResponse extends RequestResponse {
  @ApiProperty({ type: [TransactionOfRequest], description: 'Newest first, 100 at most' })
  transactions!: TransactionOfRequest[];

  @ApiProperty({ type: [EntryOfRequest], description: 'Newest first, 100 at most' })
  audit_entries!: EntryOfRequest[];

  @ApiProperty({
    type: [EventOfRequest],
    description: 'Of the feed of events, oldest first, 100 at most',
    example: [{ id: UUID, type: 'identity.created', at: AT }],
  })
  events!: EventOfRequest[];

  @ApiProperty({ type: [DeliveryOfRequest], description: 'The newest 20 of each of those events' })
  deliveries!: DeliveryOfRequest[];
}

class RequestCountResponse {
  @ApiProperty({ format: 'date-time', description: 'The beginning of the hour or the UTC day' }) at!: string;
  @ApiProperty({ type: 'integer' }) status!: number;
  @ApiProperty({ type: String, nullable: true }) error_code!: string | null;
  @ApiProperty({ type: 'integer' }) requests!: number;
}

export class RequestCountsResponse {
  @ApiProperty({ format: 'date-time', description: 'Nothing before it is counted' }) since!: string;
  @ApiProperty({ enum: ['hour', 'day'] }) by!: 'hour' | 'day';
  @ApiProperty({ type: [RequestCountResponse], description: 'Oldest first; what did not occur is left out' })
  counts!: RequestCountResponse[];
}

/** Names a row without its number, which would count the requests of all accounts. */
export const cursorOf = ({ answeredAt, requestId }: RequestPlace): string => `${answeredAt.getTime()}_${requestId}`;

export const placeIn = (cursor: string): Omit<RequestPlace, 'id'> => {
  const [at = '', requestId = ''] = cursor.split('_');
  return { answeredAt: new Date(Number(at)), requestId };
};

/** `4xx` is 400 to 499. */
export const statusesIn = (
  text: string | undefined,
): { readonly lowestStatus?: number; readonly highestStatus?: number } =>
  text === undefined
    ? {}
    : { lowestStatus: Number(text.replace('xx', '00')), highestStatus: Number(text.replace('xx', '99')) };

export const toRequest = (row: LoggedRequest) => ({
  request_id: row.requestId,
  at: row.answeredAt.toISOString(),
  method: row.method,
  route: row.route.replaceAll(/:(\w+)/g, '{$1}'),
  status: row.status,
  error_code: row.errorCode,
  duration_ms: row.durationMs,
  credits: row.credits,
  actor: shownActor(actorOf({ type: 'tenant', id: row.actorId })),
});

export const toFollowedRequest = ({
  request,
  transactions,
  entries,
  events,
}: FollowedRequest): FollowedRequestResponse => ({
  ...toRequest(request),
  transactions: transactions.map((transaction) => ({
    id: transactionIdOf(transaction),
    type: transaction.type,
    amount: transaction.amount,
    at: transaction.occurredAt.toISOString(),
  })),
  audit_entries: entries.map(({ eventId, action, occurredAt }) => ({
    id: eventId,
    action,
    at: occurredAt.toISOString(),
  })),
  events: events.map(({ eventId, type, occurredAt }) => ({ id: eventId, type, at: occurredAt.toISOString() })),
  deliveries: events.flatMap(({ eventId, deliveries }) =>
    deliveries.map(({ id, endpointId, status }) => ({ id, event_id: eventId, endpoint_id: endpointId, status })),
  ),
});

export const toCounts = ({ since, by, counts }: RequestCounts & Pick<WantedCounts, 'by'>): RequestCountsResponse => ({
  since: since.toISOString(),
  by,
  counts: counts.map(({ at, status, errorCode, requests }) => ({
    at: at.toISOString(),
    status,
    error_code: errorCode,
    requests,
  })),
});
