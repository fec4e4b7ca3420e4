import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';

/** What an operator does to an account that needs a second one. */
export type OperatorAct = { readonly kind: 'adjust_credits'; readonly amount: number } | { readonly kind: 'distrust' };

export type OperatorActProposed = DomainEvent<
  'OperatorActProposed.v1',
  {
    readonly proposalId: string;
    readonly act: OperatorAct;
    readonly reason: Envelope;
    /** Keyed hash of the token's subject. */
    readonly proposedBy: string;
    readonly proposedAt: string;
  }
>;

/** A second operator agreed. What it does to the credits follows from it, once. */
export type OperatorActApproved = DomainEvent<
  'OperatorActApproved.v1',
  {
    readonly proposalId: string;
    readonly act: OperatorAct;
    readonly approvedBy: string;
    readonly approvedAt: string;
  }
>;

export type OperatorActRejected = DomainEvent<
  'OperatorActRejected.v1',
  { readonly proposalId: string; readonly rejectedBy: string; readonly rejectedAt: string }
>;

/** What was approved could not be carried out: the balance would have left its limits. */
export type OperatorActFailed = DomainEvent<
  'OperatorActFailed.v1',
  { readonly proposalId: string; readonly failedAt: string }
>;

export type OperatorActEvent = OperatorActProposed | OperatorActApproved | OperatorActRejected | OperatorActFailed;
