import { type TenantId } from './ids.js';

/** Proofs that events stand in the log. The proofs slice implements it. */
export abstract class EventProofs {
  /** The newest signed checkpoint of the log, a signed note (C2SP). Undefined before the first. Throws Unavailable. */
  abstract checkpoint(): Promise<{ readonly note: string } | undefined>;

  /**
   * Proof files of a tenant's own events by their ids; null for an event that is newer than the last checkpoint. Ids that
   * are no event of the tenant, or no longer, are left out. Throws Unavailable.
   */
  abstract of(tenantId: TenantId, eventIds: readonly string[]): Promise<ReadonlyMap<string, object | null>>;
}

/** Most entries of a page that carry their proofs. */
export const MAX_PROOFS = 100;
