import { type TenantId } from './ids.js';

/** The interface through which other slices read what an account asks of its people. */
export abstract class ReviewRules {
  /** Whether an erasure at once needs two people. Throws Unavailable. */
  abstract erasureNeedsTwo(tenantId: TenantId): Promise<boolean>;
}
