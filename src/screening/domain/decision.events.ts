import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId, uuidHex } from '../../kernel/ids.js';
import { type FoundStatus } from './judgement.js';
import { type ScreeningKind } from './screening-list.js';

export const DECISION_STREAM_PREFIX = 'decision-';

/**
 * What follows a decision. Of a check the decision itself is the record of its charge, whose id is the decision's; of
 * screening in the background it is in the identity's match stream.
 */
export const decisionStream = (tenantId: TenantId, decisionId: string): string =>
  `${DECISION_STREAM_PREFIX}${tenantId}_${uuidHex(decisionId)}`;

export interface DecidedMatch {
  /** Place of the match in the decision, from 0. */
  readonly matchIndex: number;
  readonly list: string;
  readonly entryId: string;
  /** 0–1. */
  readonly score: number;
  readonly status: FoundStatus;
  readonly listVersion: string;
}

/** What a check found. `dismissed`: of the same query and entry, before. Such a match is announced to no one. */
export type DecisionMatched = DomainEvent<
  'DecisionMatched.v1',
  {
    readonly decisionId: string;
    readonly kind: ScreeningKind;
    readonly matches: readonly (DecidedMatch & { readonly dismissed: boolean })[];
  }
>;

export type Judgement = 'confirmed' | 'dismissed';

interface JudgedMatch {
  readonly decisionId: string;
  readonly matchIndex: number;
  /** Keyed hash of tenant, name, birth date, country and the entry's digest together. */
  readonly dismissalHash: string;
}

/** A judgement. */
interface Judged extends JudgedMatch {
  /** The actor whose proposal it approves. Null: it was made by one. */
  readonly proposedBy: string | null;
}

/** The tenant judged a match to be another person. Later checks do not count it while query and entry are the same. */
export type MatchDismissed = DomainEvent<'MatchDismissed.v1', Judged & { readonly reason: Envelope }>;

/** The tenant judged a match to be the listed one. What was dismissed of the same query and entry counts again. */
export type MatchConfirmed = DomainEvent<'MatchConfirmed.v1', Judged & { readonly note: Envelope }>;

/** A judgement that waits for another person, since the tenant asks for four eyes. Nothing changes for checks. */
export type MatchProposed = DomainEvent<
  'MatchProposed.v1',
  JudgedMatch & {
    readonly judgement: Judgement;
    /** The entry in the list in force, which the approver must find unchanged. Null: it was there no more. */
    readonly presentDigest: string | null;
    readonly reason: Envelope;
  }
>;

/** A proposal was refused, or taken back: the match is open again. */
export type ProposalRejected = DomainEvent<
  'ProposalRejected.v1',
  Pick<JudgedMatch, 'decisionId' | 'matchIndex'> & { readonly note: Envelope }
>;

/** The tenant gave a match to someone, who is to judge it. */
export type MatchAssigned = DomainEvent<
  'MatchAssigned.v1',
  Pick<JudgedMatch, 'decisionId' | 'matchIndex'> & {
    /** Null: a member is named. */
    readonly to: Envelope | null;
    /** Null: the text names someone. */
    readonly memberId: string | null;
  }
>;

/** The tenant took a judgement back: the match is open again, and what was dismissed of it counts again. */
export type MatchReopened = DomainEvent<'MatchReopened.v1', JudgedMatch & { readonly reason: Envelope }>;

/** A match waited longer than the tenant lets one wait. Once a match. */
export type MatchOverdue = DomainEvent<
  'MatchOverdue.v1',
  {
    readonly decisionId: string;
    readonly matchIndex: number;
    readonly list: string;
    readonly entryId: string;
    readonly foundAt: string;
    readonly dueAt: string;
  }
>;

export type MatchReviewed =
  MatchDismissed | MatchConfirmed | MatchAssigned | MatchReopened | MatchProposed | ProposalRejected;

/** The decision's key is to be destroyed, so its names and matches cannot be read any more. */
export type DecisionErased = DomainEvent<
  'DecisionErased.v1',
  { readonly decisionId: string; readonly erasedAt: string }
>;

export type DecisionEvent = DecisionMatched | MatchReviewed | MatchOverdue | DecisionErased;
