import { Body, Controller, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { EligibilityQueries } from '../../../projections/eligibility/eligibility.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { tenantIdOf } from '../../kernel/ids.js';
import { Context, RequiresRole } from '../../http/access.js';
import { noteChanges } from '../../http/operator-trail.js';
import { paginationOf } from '../../http/pagination.js';
import { asFailure } from '../../http/validate.js';
import { RespondsWith } from '../../http/responses.js';
import { type Config } from '../../platform/config/config.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { ProposeOperatorAct } from '../domain/operator-act.commands.js';
import { AccountList } from '../account-list.js';
import { type ChangedAccount } from '../account-repository.js';
import { AccountReader } from '../account-reader.js';
import { ApiKeyFactory } from '../api-key-factory.js';
import {
  ChangeAccount,
  CreateAccount,
  JudgeAccount,
  ReinstateAccount,
  SuspendAccount,
} from '../domain/account.commands.js';
import { AccountPresenter } from './account-presenter.js';
import {
  AccountResponse,
  AccountsResponse,
  ChangeAccountBody,
  CreateAccountBody,
  CreatedAccountResponse,
  ListAccountsQuery,
  ReasonBody,
  JudgementBody,
} from './account.dto.js';
import { type InviteMemberBody } from './members.dto.js';
import { MemberDesk } from './member-desk.js';
import { metadataOf, effectIdOf, type OperatorContext } from './command-metadata.js';

/** Milliseconds that an answer waits for the network's index. */
const INDEX_BUDGET_MS = 1_000;

const FIRST_KEY_NAME = 'First key';

const MISSING = { code: 'MISSING_FIELD', detail: 'owner_name and owner_email invite a first owner together' } as const;

const ownerIn = ({ owner_name: name, owner_email: email }: CreateAccountBody): InviteMemberBody | undefined => {
  if (name === undefined && email === undefined) return undefined;
  if (name === undefined) throw asFailure([{ field: 'owner_name', ...MISSING }]);
  if (email === undefined) throw asFailure([{ field: 'owner_email', ...MISSING }]);
  return { name, email, role: 'owner' };
};

/** Accounts for operators. `admin` changes them. `support` reads them without personal data. */
@ApiTags('Operators')
@Controller('admin/accounts')
export class AdminAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: AccountReader,
    private readonly accounts: AccountList,
    private readonly presenter: AccountPresenter,
    private readonly apiKeys: ApiKeyFactory,
    private readonly desk: MemberDesk,
    private readonly index: EligibilityQueries,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @RequiresRole('admin')
  @RespondsWith(201, {
    summary: 'Open an account with its first API key, and invite its first owner',
    type: CreatedAccountResponse,
  })
  async createAccount(
    @Body() body: CreateAccountBody,
    @Context() context: OperatorContext,
  ): Promise<CreatedAccountResponse> {
    const owner = ownerIn(body);
    if (owner !== undefined) this.desk.assertInvites();
    const tenantId = tenantIdOf(effectIdOf(context, 'account'));
    const { apiKey, ...firstKey } = this.apiKeys.create(effectIdOf(context, 'api_key'));
    const data = {
      name: body.name,
      tier: body.tier,
      environment: firstKey.environment,
      contactEmail: body.contact_email,
      firstKey: { ...firstKey, name: FIRST_KEY_NAME },
    };
    const command = new CreateAccount(tenantId, data, metadataOf(context, this.clock));
    noteChanges(context, (await this.commands.execute(command)).changes);
    if (owner !== undefined) await this.desk.invite(tenantId, owner, null, context);
    return { tenant_id: tenantId, api_key: apiKey };
  }

  @Get()
  @RequiresRole('admin', 'support')
  @RespondsWith(200, { summary: 'List or find accounts, newest first', type: AccountsResponse })
  async listAccounts(
    @Query() query: ListAccountsQuery,
    @Context() context: OperatorContext,
  ): Promise<AccountsResponse> {
    const { records, total } = await this.accounts.page(query.limit, query.offset, query.q);
    const accounts = await this.presenter.presentAll(records, context.principal.roles.has('admin'));
    return { accounts, pagination: paginationOf(query, { total, shown: accounts.length }) };
  }

  @Get(':id')
  @RequiresRole('admin', 'support')
  @RespondsWith(200, { summary: 'Read an account', type: AccountResponse })
  async getAccount(@Param('id') id: string, @Context() context: OperatorContext): Promise<AccountResponse> {
    return this.presenter.present(await this.reader.require(id), context.principal.roles.has('admin'));
  }

  @Patch(':id')
  @RequiresRole('admin')
  @RespondsWith(200, { summary: 'Change an account’s name, tier, limits, contact or alerts', type: AccountResponse })
  async changeAccount(
    @Param('id') id: string,
    @Body() body: ChangeAccountBody,
    @Context() context: OperatorContext,
  ): Promise<AccountResponse> {
    const { tenantId } = await this.reader.require(id);
    const data = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.tier === undefined ? {} : { tier: body.tier }),
      ...(body.rate_limit_per_minute === undefined ? {} : { rateLimitPerMinute: body.rate_limit_per_minute }),
      ...(body.burst_per_second === undefined ? {} : { burstPerSecond: body.burst_per_second }),
      ...(body.contact_email === undefined ? {} : { contactEmail: body.contact_email }),
      ...(body.alert_thresholds === undefined ? {} : { alertThresholds: body.alert_thresholds }),
    };
    return this.carryOut(context, new ChangeAccount(tenantId, data, metadataOf(context, this.clock)));
  }

  @Post(':id/suspend')
  @RequiresRole('admin')
  @RespondsWith(200, { summary: 'Suspend an account: its keys and tokens are refused', type: AccountResponse })
  async suspendAccount(
    @Param('id') id: string,
    @Body() { reason }: JudgementBody,
    @Context() context: OperatorContext,
  ): Promise<AccountResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.carryOut(context, new SuspendAccount(tenantId, { reason }, metadataOf(context, this.clock)));
  }

  @Post(':id/reinstate')
  @RequiresRole('admin')
  @RespondsWith(200, { summary: 'Reinstate a suspended account', type: AccountResponse })
  async reinstateAccount(
    @Param('id') id: string,
    @Body() { reason }: ReasonBody,
    @Context() context: OperatorContext,
  ): Promise<AccountResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.carryOut(
      context,
      new ReinstateAccount(tenantId, { reason: reason ?? null }, metadataOf(context, this.clock)),
    );
  }

  @Post(':id/distrust')
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Distrust the account: what it attests does not count any more',
    description: 'Its own calls go on. Credentials that rest on it alone are suspended.',
    type: AccountResponse,
  })
  distrustAccount(
    @Param('id') id: string,
    @Body() { reason }: JudgementBody,
    @Context() context: OperatorContext,
  ): Promise<AccountResponse> {
    return this.judge(id, { trusted: false, reason }, context);
  }

  @Post(':id/trust')
  @RequiresRole('admin')
  @RespondsWith(200, { summary: 'Let what a distrusted account attests count again', type: AccountResponse })
  trustAccount(
    @Param('id') id: string,
    @Body() { reason }: JudgementBody,
    @Context() context: OperatorContext,
  ): Promise<AccountResponse> {
    return this.judge(id, { trusted: true, reason }, context);
  }

  private async judge(id: string, data: JudgeAccount['data'], context: OperatorContext): Promise<AccountResponse> {
    const { tenantId } = await this.reader.require(id);
    const metadata = metadataOf(context, this.clock);
    if (!data.trusted && this.config.fourEyesCredits !== undefined) {
      const proposalId = effectIdOf(context, 'proposal');
      const by = context.principal.subjectHash;
      const proposal = { proposalId, act: { kind: 'distrust' }, reason: data.reason, by } as const;
      return this.shown(context, await this.commands.execute(new ProposeOperatorAct(tenantId, proposal, metadata)));
    }
    const changed = await this.commands.execute(new JudgeAccount(tenantId, data, metadata));
    // The judgement is durable, whether or not the index shows it yet.
    if (changed.position !== undefined) await this.index.reaches(changed.position, INDEX_BUDGET_MS).catch(() => false);
    return this.shown(context, changed);
  }

  private async carryOut(
    context: OperatorContext,
    command: ChangeAccount | SuspendAccount | ReinstateAccount,
  ): Promise<AccountResponse> {
    return this.shown(context, await this.commands.execute(command));
  }

  private shown(context: OperatorContext, { record, changes }: ChangedAccount): Promise<AccountResponse> {
    noteChanges(context, changes);
    return this.presenter.present(record, true);
  }
}
