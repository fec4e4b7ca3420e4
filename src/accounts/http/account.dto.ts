import { ApiProperty } from '@nestjs/swagger';
import { ShownOnce } from '../../http/responses.js';
import { EmailField, EnumField, IntegerField, PercentagesField, TextField } from '../../http/fields.js';
import { PageQuery, Pagination } from '../../http/pagination.js';
import { ACCOUNT_TIERS, type AccountTier } from '../domain/account.events.js';
import { MAX_LIMIT } from '../domain/limits.js';

export class CreateAccountBody {
  @TextField({ max: 200, description: 'Name of the organisation' })
  name!: string;

  @EmailField({ description: 'Where alerts go' })
  contact_email!: string;

  @EnumField(ACCOUNT_TIERS, { default: 'starter' })
  tier: AccountTier = 'starter';

  @TextField({ max: 200, optional: true, description: 'Of the first owner, who is invited; with owner_email' })
  owner_name?: string;

  @EmailField({ optional: true, description: 'Where the invitation of the first owner goes; with owner_name' })
  owner_email?: string;
}

export class ChangeAccountBody {
  @TextField({ max: 200, optional: true, description: 'Name of the organisation' })
  name?: string;

  @EnumField(ACCOUNT_TIERS, { optional: true, description: 'What is agreed; a live subscription overrides it' })
  tier?: AccountTier;

  @IntegerField({ min: 1, max: MAX_LIMIT, optional: true, description: 'Overrides the plan’s requests a minute' })
  rate_limit_per_minute?: number;

  @IntegerField({ min: 1, max: MAX_LIMIT, optional: true, description: 'Overrides the requests a second' })
  burst_per_second?: number;

  @EmailField({ optional: true })
  contact_email?: string;

  @PercentagesField({ optional: true })
  alert_thresholds?: number[];
}

/** Why an operator judges an account: suspends, distrusts or trusts it. */
export class JudgementBody {
  @TextField({ description: 'Kept encrypted' })
  reason!: string;
}

export class ReasonBody {
  @TextField({ optional: true, description: 'Kept encrypted' })
  reason?: string;
}

/** A page of all accounts, or of those that are searched for. */
export class ListAccountsQuery extends PageQuery {
  @TextField({ max: 200, optional: true, description: 'A part of the name, Latin letters in any case, or an id' })
  q?: string;
}

export class CreatedAccountResponse {
  @ApiProperty() tenant_id!: string;
  @ShownOnce() api_key!: string | null;
}

export class AccountResponse {
  @ApiProperty() tenant_id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: ACCOUNT_TIERS }) tier!: string;
  @ApiProperty({ enum: ['active', 'suspended'] }) status!: string;
  @ApiProperty({ description: 'Whether an operator distrusts it: what it attests does not count' })
  distrusted!: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Masked for the role support' })
  contact_email!: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Credits, as the read models know them; null while they do not answer',
  })
  balance!: number | null;
  @ApiProperty({ type: 'integer' }) rate_limit_per_minute!: number;
  @ApiProperty({ type: 'integer' }) burst_per_second!: number;
  @ApiProperty({ type: [Number], description: 'Percentages, highest first' }) alert_thresholds!: readonly number[];
  @ApiProperty({ type: String, nullable: true, description: 'Withheld from the role support' })
  suspension_reason!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
}

export class AccountsResponse {
  @ApiProperty({ type: [AccountResponse] }) accounts!: AccountResponse[];
  @ApiProperty({ type: Pagination }) pagination!: Pagination;
}
