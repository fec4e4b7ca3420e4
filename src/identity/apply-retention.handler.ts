import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { NOTICE_OF } from '../../projections/retention/retention.queries.js';
import { type Clock } from '../kernel/clock.js';
import { daysBefore } from '../kernel/expiry-notices.js';
import { newUuid } from '../kernel/ids.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { type Config } from '../platform/config/config.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { ApplyRetention } from './commands.js';
import { inactivityLimit } from './domain/identity.js';
import { IdentityEraser } from './identity-eraser.js';
import { IdentityRepository } from './identity-repository.js';

/** The stream decides each change again. The identity may have been renewed or restored since a read model found it due. */
@CommandHandler(ApplyRetention)
export class ApplyRetentionHandler implements ICommandHandler<ApplyRetention, void> {
  constructor(
    private readonly ledger: IdentityRepository,
    private readonly shredder: DataKeyShredder,
    private readonly eraser: IdentityEraser,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'noticeDays'>,
  ) {}

  async execute({ data }: ApplyRetention): Promise<void> {
    if (data.change === 'erase') return this.eraser.erase(data);
    const { tenantId, identityId } = data;
    const now = this.clock.now();
    const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'retention' } } as const;
    const notice = NOTICE_OF[data.change];
    if (notice !== undefined) {
      const days = daysBefore(notice, this.config.noticeDays);
      await this.ledger.execute(data, { kind: 'notify', identityId, notice, days, now }, metadata);
      return;
    }
    if (data.change === 'expire') {
      await this.ledger.execute(data, { kind: 'expire', identityId, now }, metadata);
      return;
    }
    const presentKeyIds = await this.shredder.present(tenantId, identityId, now);
    const inactiveSince = inactivityLimit(now).toISOString();
    const { dormantHash, lostKeyId } = data;
    const dormant = dormantHash === undefined ? {} : { dormantHash };
    const lost = lostKeyId === undefined ? {} : { lostKeyId };
    await this.ledger.execute(
      data,
      { kind: 'decide_erasure', identityId, now, inactiveSince, presentKeyIds, ...dormant, ...lost },
      metadata,
    );
    // The key is destroyed at once, however many identities are due today. The rest of the erasure becomes due later.
    await this.eraser.erase(data);
  }
}
