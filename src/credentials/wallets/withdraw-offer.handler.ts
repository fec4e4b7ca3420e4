import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditTrail } from '../../kernel/access.js';
import { auditedChange } from '../../kernel/audited-change.js';
import { type Clock } from '../../kernel/clock.js';
import { tenantMetadata } from '../../kernel/events.js';
import { newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { CLOCK } from '../../platform/tokens.js';
import { CredentialRepository } from '../credential-repository.js';
import { WithdrawOffer } from './wallet.commands.js';

@CommandHandler(WithdrawOffer)
export class WithdrawOfferHandler implements ICommandHandler<WithdrawOffer, void> {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: WithdrawOffer): Promise<void> {
    const { tenantId, access } = data;
    const command = { kind: 'end_offer', cause: 'withdrawn', now: this.clock.now() } as const;
    const entryId = newUuid();
    await auditedChange(this.audit, (record) =>
      this.credentials.changeOffer(data, command, tenantMetadata(access), {
        beforehand: ({ offer, issued }, events) => {
          if (issued !== null) throw refuse('offer_redeemed');
          return record({
            entryId,
            tenantId,
            action: events.length === 0 ? 'offer_read' : 'offer_withdrawn',
            result: 'ok',
            ...(offer === null ? {} : { identityHash: offer.offered.identityHash }),
            access,
          });
        },
      }),
    );
  }
}
