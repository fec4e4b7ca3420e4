import { type Caps } from './charging.js';
import { type TenantId } from './ids.js';

/** What a key or a member of an account may spend at this moment. */
export abstract class Spenders {
  /** Undefined once the key has ended, the member was removed, or the account is suspended. Throws Unavailable. */
  abstract find(tenantId: TenantId, actorId: string): Promise<{ readonly caps: Caps } | undefined>;
}
