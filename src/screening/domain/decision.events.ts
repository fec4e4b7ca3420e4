import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId, uuidHex } from '../../kernel/ids.js';

export const DECISION_STREAM_PREFIX = 'decision-';

/** What follows a decision. The decision itself is the record of its charge, whose id is the decision's. */
export const decisionStream = (tenantId: TenantId, decisionId: string): string =>
  `${DECISION_STREAM_PREFIX}${tenantId}_${uuidHex(decisionId)}`;

/** What a receiver of webhooks is told of a match. */
export interface AnnouncedMatch {
  readonly list: string;
  readonly entryId: string;
  /** 0–1. */
  readonly score: number;
  readonly listVersion: string;
}

/** A sanctions check was not clear. Dismissed matches are left out. */
export type DecisionMatched = DomainEvent<
  'DecisionMatched.v1',
  { readonly decisionId: string; readonly matches: readonly AnnouncedMatch[] }
>;

/** The tenant judged a match to be another person. Later checks do not count it while query and entry are the same. */
export type MatchDismissed = DomainEvent<
  'MatchDismissed.v1',
  {
    readonly decisionId: string;
    /** Place of the match in the decision, from 0. */
    readonly matchIndex: number;
    /** Keyed hash of tenant, name, birth date, country and the entry's digest together. */
    readonly dismissalHash: string;
    readonly reason: Envelope;
  }
>;

/** The decision's key is to be destroyed, so its names and matches cannot be read any more. */
export type DecisionErased = DomainEvent<
  'DecisionErased.v1',
  { readonly decisionId: string; readonly erasedAt: string }
>;

export type DecisionEvent = DecisionMatched | MatchDismissed | DecisionErased;
