import { Body, Controller, Get, Inject, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { Context, RequiresKey } from '../../http/access.js';
import { BooleanField } from '../../http/fields.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { AccountReader } from '../account-reader.js';
import { type AccountRecord } from '../domain/account-record.js';
import { ChangeAccount } from '../domain/account.commands.js';
import { ACCOUNT_TIERS, type AccountTier } from '../domain/account.events.js';
import { tierOf } from '../domain/account.js';
import { auditedMetadataOf, type KeyContext } from './command-metadata.js';

class ChangeOwnAccountBody {
  @BooleanField({
    description: 'Whether credentials that wallets take may name you among those that attest the person',
  })
  named_in_credentials!: boolean;
}

class OwnAccountResponse {
  @ApiProperty() tenant_id!: string;
  @ApiProperty({ example: 'Acme Bank' }) name!: string;
  @ApiProperty({ enum: ACCOUNT_TIERS }) tier!: AccountTier;
  @ApiProperty({ description: 'Whether credentials that wallets take may name you' }) named_in_credentials!: boolean;
}

const toResponse = ({ tenantId, account }: AccountRecord): OwnAccountResponse => ({
  tenant_id: tenantId,
  name: account.name,
  tier: tierOf(account),
  named_in_credentials: account.isNamed,
});

/** What an account says of itself. */
@ApiTags('Account')
@Controller('api/v1/account')
export class AccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: AccountReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresKey('members')
  @RespondsWith(200, { summary: 'Who you are, and what others learn of you', type: OwnAccountResponse })
  async ownAccount(@Context() { principal }: KeyContext): Promise<OwnAccountResponse> {
    return toResponse(await this.reader.require(principal.tenantId));
  }

  @Patch()
  @RequiresKey('members')
  @RespondsWith(200, { summary: 'Change what others learn of you', type: OwnAccountResponse })
  async changeOwnAccount(
    @Body() { named_in_credentials: isNamed }: ChangeOwnAccountBody,
    @Context() context: KeyContext,
  ): Promise<OwnAccountResponse> {
    const metadata = auditedMetadataOf(context, this.clock, 'account_changed');
    const { record } = await this.commands.execute(
      new ChangeAccount(context.principal.tenantId, { isNamed }, metadata),
    );
    return toResponse(record);
  }
}
