import { type TenantId } from './ids.js';

/** Whether the actors, by the ids of their keys or members, cannot be one person. An unknown one may be anyone. */
export type AreApart = (proposer: string, approver: string) => boolean;

/** Said to an approver who may be the proposer. */
export const NOT_ANOTHER =
  'A second person approves: another member of what a present member proposed; another key of what a key proposed, where neither made ' +
  'or rotated the other, and no one made both';

/** The interface through which other slices judge who acts for an account. */
export abstract class Persons {
  /** Throws Unavailable. */
  abstract of(tenantId: TenantId): Promise<AreApart>;
  /** Whether the account has this member now. Throws Unavailable. */
  abstract hasMember(tenantId: TenantId, memberId: string): Promise<boolean>;
}
