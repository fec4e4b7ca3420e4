import { AdjustCredits } from '../credits/domain/credits.commands.js';
import { newUuid, type TenantId } from '../kernel/ids.js';

/** Credits that an account begins with, granted once for a reference. */
export const grantStarterCredits = (tenantId: TenantId, credits: number, reference: string): AdjustCredits =>
  new AdjustCredits(
    tenantId,
    { reference, amount: credits, reason: null },
    { requestId: newUuid(), actor: { type: 'system', id: 'starter-credits' } },
  );
