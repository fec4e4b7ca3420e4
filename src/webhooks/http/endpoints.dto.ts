import { ApiProperty } from '@nestjs/swagger';
import { ANNOUNCEMENT_TYPES, type AnnouncementType } from '../../kernel/contract.js';
import { BooleanField, EnumField, IntegerField, ListField, TextField, UrlField } from '../../http/fields.js';
import { ShownOnce } from '../../http/responses.js';

const MAX_URL_LENGTH = 2_048;
const MAX_OVERLAP_SECONDS = 30 * 86_400;

export class RegisterEndpointBody {
  @UrlField({ max: MAX_URL_LENGTH, description: 'Where events are sent by POST. Kept encrypted' })
  url!: string;

  @ListField({ of: ANNOUNCEMENT_TYPES, description: 'The event types to send' })
  events!: AnnouncementType[];

  @TextField({ optional: true, description: 'Kept encrypted' })
  description?: string;
}

export class ChangeEndpointBody {
  @UrlField({ optional: true, max: MAX_URL_LENGTH, description: 'Where events are sent from now on' })
  url?: string;

  @ListField({ of: ANNOUNCEMENT_TYPES, optional: true, description: 'The event types to send from now on' })
  events?: AnnouncementType[];

  @TextField({ min: 0, optional: true, description: 'An empty text removes it' })
  description?: string;

  @BooleanField({ optional: true, description: 'While false nothing is sent, and what becomes due fails' })
  is_active?: boolean;
}

export class RotateSecretBody {
  @IntegerField({
    min: 0,
    max: MAX_OVERLAP_SECONDS,
    default: 86_400,
    description: 'How long the former secret signs too; 0 after a leak',
  })
  overlap_seconds = 86_400;
}

export class TestEndpointBody {
  @EnumField(ANNOUNCEMENT_TYPES, { description: 'The event type to send an example of' })
  event_type!: AnnouncementType;
}

export class EndpointResponse {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ example: 'https://example.org/webhooks' }) url!: string;
  @ApiProperty({ enum: ANNOUNCEMENT_TYPES, isArray: true }) events!: readonly string[];
  @ApiProperty({ type: String, nullable: true }) description!: string | null;
  @ApiProperty() is_active!: boolean;
  @ApiProperty({
    description: 'Whether its address has answered a challenge by its secret. Before that nothing else is sent',
  })
  is_verified!: boolean;
  @ApiProperty({
    enum: ['gone', 'failing'],
    nullable: true,
    description: 'Why the service disabled it: it answered 410, or failed for five days',
  })
  disabled_reason!: 'gone' | 'failing' | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
}

export class NewEndpointResponse extends EndpointResponse {
  @ShownOnce() secret!: string | null;
}

export class EndpointsResponse {
  @ApiProperty({ type: [EndpointResponse], description: 'Oldest first' }) endpoints!: EndpointResponse[];
}

export class RotatedSecretResponse {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ShownOnce() secret!: string | null;
  @ApiProperty({ format: 'date-time' }) rotated_at!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until then the former secret signs too',
  })
  overlap_ends_at!: string | null;
}

export class TestResponse {
  @ApiProperty({ format: 'uuid' }) event_id!: string;
  @ApiProperty({ format: 'uuid' }) delivery_id!: string;
  @ApiProperty({ enum: ['delivered', 'failed'] }) status!: 'delivered' | 'failed';
  @ApiProperty({ type: Number, nullable: true, description: 'The status that the receiver answered' })
  response_status!: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Why no answer came' }) error!: string | null;
  @ApiProperty({ description: 'Milliseconds' }) duration_ms!: number;
}
