import { ApiProperty } from '@nestjs/swagger';
import { ShownOnce } from '../../http/responses.js';
import { AddressesField, IntegerField, ListField, TextField, TimestampField } from '../../http/fields.js';
import { SCOPES, type Scope } from '../../kernel/scopes.js';

const MAX_OVERLAP_SECONDS = 30 * 86_400;
const MAX_CAP = 1_000_000_000;

const CAP = 'Most credits that calls by it may spend on one UTC day; null: no cap';
const ADDRESSES = 'IP addresses and CIDR ranges from which it may be used; empty: from anywhere';

export class CreateApiKeyBody {
  @TextField({ max: 100, description: 'Kept encrypted' })
  name!: string;

  @ListField({ of: SCOPES, optional: true, description: 'Default: all that the granting key has' })
  scopes?: Scope[];

  @TimestampField({ optional: true, description: 'Default: as long as the granting key lives, or until revoked' })
  expires_at?: Date;

  @IntegerField({
    min: 1,
    max: MAX_CAP,
    optional: true,
    nullable: true,
    description: `${CAP}. Default: the granting key’s`,
  })
  credit_cap_per_day?: number | null;

  @AddressesField({ optional: true, description: `${ADDRESSES}. Default: the granting key’s` })
  allowed_addresses?: string[];
}

/** Absent members stay unchanged. */
export class LimitApiKeyBody {
  @IntegerField({ min: 1, max: MAX_CAP, optional: true, nullable: true, description: CAP })
  credit_cap_per_day?: number | null;

  @AddressesField({ optional: true, description: ADDRESSES })
  allowed_addresses?: string[];
}

export class ListApiKeysQuery {
  @IntegerField({ min: 1, max: 3_650, optional: true, description: 'Only live keys unused for so many days' })
  unused_days?: number;
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
  @ApiProperty({ type: 'integer', nullable: true, description: CAP }) credit_cap_per_day!: number | null;
  @ApiProperty({ type: [String], example: ['192.0.2.0/24'], description: ADDRESSES })
  allowed_addresses!: readonly string[];
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
  @ApiProperty({ type: String, nullable: true, example: '192.0.2.0/24', description: 'Network of its last use' })
  last_used_from!: string | null;
}

export class ApiKeysResponse {
  @ApiProperty({ type: [ApiKeyResponse] }) keys!: ApiKeyResponse[];
}
