import { type TenantId } from './ids.js';

/** The interface through which other slices read what an account's keys are for. */
export abstract class ApiKeyNames {
  /** By key id, keys that ended among them. Throws Unavailable. */
  abstract of(tenantId: TenantId): Promise<ReadonlyMap<string, string>>;
}
