import { type TenantId } from './ids.js';

/** Whether the actors, by the ids of their keys or members, cannot be one person. An unknown one may be anyone. */
export type AreApart = (proposer: string, approver: string) => boolean;

/** The interface through which other slices judge who acts for an account. */
export abstract class Persons {
  /** Throws Unavailable. */
  abstract of(tenantId: TenantId): Promise<AreApart>;
  /** Whether the account has this member now. Throws Unavailable. */
  abstract hasMember(tenantId: TenantId, memberId: string): Promise<boolean>;
}
