import { AdjustCredits } from '../credits/domain/credits.commands.js';
import { newUuid, type TenantId } from '../kernel/ids.js';

/** An account's starter credits. Each reference grants them once. */
export const grantStarterCredits = (tenantId: TenantId, credits: number, reference: string): AdjustCredits =>
  new AdjustCredits(
    tenantId,
    { reference, amount: credits, reason: null },
    { requestId: newUuid(), actor: { type: 'system', id: 'starter-credits' } },
  );
