import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountTiers } from '../kernel/account-tiers.js';
import { OperatorProposals } from '../kernel/operator-proposals.js';
import { type CommandMetadata } from '../kernel/events.js';
import { isTenantId, type TenantId } from '../kernel/ids.js';
import { BillingReader } from './billing-reader.js';
import { refuse } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { CONFIG } from '../platform/tokens.js';
import { Vault } from '../platform/crypto/vault.js';
import { noteChanges } from '../http/operator-trail.js';
import { type OperatorPrincipal, type RequestContext } from '../http/request-context.js';
import { AdjustCredits } from './domain/credits.commands.js';
import { creditsStream } from './domain/credits.events.js';
import { type AdjustmentResponse } from './http/billing.response.js';

export interface Adjustment {
  /** Credits, signed; not 0. */
  readonly amount: number;
  /** Why, as the operator says it. It is stored sealed. */
  readonly reason: string;
  /** A UUID. It counts once. */
  readonly reference: string;
}

/** What operators add to an account, or take from it. */
@Injectable()
export class CreditAdjustments {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountTiers,
    private readonly vault: Vault,
    private readonly billing: BillingReader,
    private readonly proposals: OperatorProposals,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Beyond FOUR_EYES_CREDITS it is proposed. Notes in `context` what it changed. Throws Rejection, or Unavailable if the outcome is unknown. */
  async adjust(
    tenantId: string,
    { amount, reason, reference }: Adjustment,
    context: RequestContext<OperatorPrincipal>,
  ): Promise<AdjustmentResponse> {
    const { fourEyesCredits = Infinity } = this.config;
    if (Math.abs(amount) > fourEyesCredits) return this.propose(tenantId, { amount, reason, reference }, context);
    const { requestId, principal } = context;
    const actor = { type: 'operator', id: principal.subjectHash } as const;
    const { balance, appended } = await this.carryOut(
      await this.known(tenantId),
      { amount, reason, reference },
      { requestId, actor },
    );
    if (appended) noteChanges(context, [{ field: 'balance', from: balance - amount, to: balance }]);
    return { tenant_id: tenantId, amount, balance, reference, status: 'done' };
  }

  /** Asks for a second operator. Nothing is adjusted until then. */
  private async propose(
    tenantId: string,
    { amount, reason, reference }: Adjustment,
    context: RequestContext<OperatorPrincipal>,
  ): Promise<AdjustmentResponse> {
    const account = await this.known(tenantId);
    const operator = { by: context.principal.subjectHash, requestId: context.requestId };
    noteChanges(context, await this.proposals.adjustment(account, { proposalId: reference, amount, reason }, operator));
    const { balance } = await this.billing.account(account, context.requestId);
    return { tenant_id: tenantId, amount, balance, reference, status: 'proposed' };
  }

  /** Counts once for its reference. */
  async carryOut(
    tenantId: TenantId,
    { amount, reason, reference }: Adjustment,
    metadata: CommandMetadata,
  ): Promise<{ readonly balance: number; readonly appended: boolean }> {
    // The event's id is the reference. The sealed reason is bound to it, and a second attempt finds the first.
    const place = { tenantId, stream: creditsStream(tenantId), eventId: reference, field: 'reason' };
    const sealed = this.vault.seal(await this.vault.tenantKey(tenantId, 'texts'), place, reason);
    const adjusting = new AdjustCredits(tenantId, { reference, amount, reason: sealed }, metadata, reference);
    const { state, appended } = await this.commands.execute(adjusting);
    return { balance: state.balance, appended };
  }

  private async known(tenantId: string): Promise<TenantId> {
    if (!isTenantId(tenantId) || (await this.accounts.tierOf(tenantId)) === undefined) throw refuse('not_found');
    return tenantId;
  }
}
