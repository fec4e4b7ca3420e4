import { ApiProperty } from '@nestjs/swagger';
import { ShownOnce } from '../../http/responses.js';
import { IntegerField, ListField, TextField, TimestampField } from '../../http/fields.js';
import { SCOPES, type Scope } from '../../kernel/scopes.js';

const MAX_OVERLAP_SECONDS = 30 * 86_400;

export class CreateApiKeyBody {
  @TextField({ max: 100, description: 'Kept encrypted' })
  name!: string;

  @ListField({ of: SCOPES, optional: true, description: 'Default: all that the granting key has' })
  scopes?: Scope[];

  @TimestampField({ optional: true, description: 'Default: as long as the granting key lives, or until revoked' })
  expires_at?: Date;
}

export class RotateApiKeyBody {
  @IntegerField({ min: 0, max: MAX_OVERLAP_SECONDS, default: 86_400, description: 'How long the old key lives on' })
  overlap_seconds = 86_400;
}

class ApiKeyFields {
  @ApiProperty({ description: '8 characters; they stand in the key' }) id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Withheld from the role support' }) name!: string | null;
  @ApiProperty({ enum: SCOPES, isArray: true }) scopes!: readonly string[];
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) expires_at!: string | null;
}

export class NewApiKeyResponse extends ApiKeyFields {
  @ShownOnce() api_key!: string | null;
}

export class ApiKeyResponse extends ApiKeyFields {
  @ApiProperty({ enum: ['active', 'expired', 'revoked'] }) status!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) revoked_at!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The key that this one was rotated to' })
  successor_id!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at!: string | null;
}

export class ApiKeysResponse {
  @ApiProperty({ type: [ApiKeyResponse] }) keys!: ApiKeyResponse[];
}
