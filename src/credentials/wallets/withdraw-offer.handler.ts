import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CredentialQueries } from '../../../projections/credentials/credentials.queries.js';
import { AuditTrail } from '../../kernel/access.js';
import { auditedChange } from '../../kernel/audited-change.js';
import { type Clock } from '../../kernel/clock.js';
import { tenantMetadata } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { CLOCK } from '../../platform/tokens.js';
import { CredentialRepository } from '../credential-repository.js';
import { WithdrawOffer } from './wallet.commands.js';

/** How long a response waits for the lists, milliseconds. */
const REGISTRY_BUDGET_MS = 5_000;

@CommandHandler(WithdrawOffer)
export class WithdrawOfferHandler implements ICommandHandler<WithdrawOffer, void> {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly audit: AuditTrail,
    private readonly registry: CredentialQueries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: WithdrawOffer): Promise<void> {
    const { tenantId, access } = data;
    const command = { kind: 'end_offer', cause: 'withdrawn', now: this.clock.now() } as const;
    const entryId = newUuid();
    const { position } = await auditedChange(this.audit, (record) =>
      this.credentials.changeOffer(data, command, tenantMetadata(access), {
        beforehand: async ({ offer }, events) => {
          if (offer === null || events.length === 0) return;
          const { identityHash } = offer.offered;
          await record({ entryId, tenantId, action: 'offer_withdrawn', result: 'ok', identityHash, access });
        },
      }),
    );
    // It is durable. Only that lists show it cannot be promised yet.
    if (position !== undefined && !(await this.registry.reaches(position, REGISTRY_BUDGET_MS)))
      throw new Unavailable('postgres');
  }
}
