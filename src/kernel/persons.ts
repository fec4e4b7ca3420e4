import { type TenantId } from './ids.js';

/** Whether the actors, by the ids of their keys or members, cannot be one person. An unknown one may be anyone. */
export type AreApart = (proposer: string, approver: string) => boolean;

/** Said to an approver who may be the proposer. */
export const NOT_ANOTHER =
  'A second person approves: not the proposer, not a key that the proposer, or one who made the proposer’s key, made or rotated; ' +
  'and what a member proposed, another member';

/** The interface through which other slices judge who acts for an account. */
export abstract class Persons {
  /** Throws Unavailable. */
  abstract of(tenantId: TenantId): Promise<AreApart>;
  /** Whether the account has this member now. Throws Unavailable. */
  abstract hasMember(tenantId: TenantId, memberId: string): Promise<boolean>;
}
