import { type TenantId } from '../kernel/ids.js';

/** Credits that an account begins with. */
export abstract class StarterCredits {
  /** Grants once for a reference, however often it is asked. Throws Unavailable. */
  abstract grant(tenantId: TenantId, credits: number, reference: string): Promise<void>;
}
