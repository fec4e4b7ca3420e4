import { type DomainEvent } from '../../kernel/decider.js';
import { type TenantId } from '../../kernel/ids.js';
import { type FoundStatus, type Thresholds } from './judgement.js';
import { type DatePolicy, type ListVersions, type ScreeningKind } from './screening-list.js';

export const MATCH_STREAM_PREFIX = 'match-';

/** What screening found of one identity: `match-<tenant>_<the 32 digits of the identity id>`. */
export const matchStream = (tenantId: TenantId, identityId: string): string =>
  `${MATCH_STREAM_PREFIX}${tenantId}_${identityId.slice('idn_'.length)}`;

/** An entry of a list that an identity resembles. */
export interface FoundMatch {
  readonly list: string;
  readonly entryId: string;
  /** SHA-256 of what the entry says. A changed entry is a new match. */
  readonly entryDigest: string;
  /** 0–1. */
  readonly score: number;
  readonly status: FoundStatus;
  readonly listVersion: string;
}

/** On what grounds screening decided. */
export interface Grounds {
  /** The version of each list that was screened against. */
  readonly versions: ListVersions;
  readonly engineVersion: string;
  readonly thresholds: Thresholds;
  /** Absent: lenient. */
  readonly datePolicy?: DatePolicy;
}

/** Screening at ingestion, or on a new list version, found what was not known. An event for each match follows. */
export type IdentityScreened = DomainEvent<
  'IdentityScreened.v1',
  Grounds & {
    readonly decisionId: string;
    readonly identityId: string;
    readonly kind: ScreeningKind;
    readonly status: FoundStatus;
  }
>;

export type MatchFound = DomainEvent<
  'MatchFound.v1',
  FoundMatch & {
    readonly decisionId: string;
    /** Place of the match in the decision, from 0. */
    readonly matchIndex: number;
    readonly identityId: string;
    readonly kind: ScreeningKind;
  }
>;

/** A later screening no longer finds the entry: it left the list or changed, or the record changed. */
export type MatchCleared = DomainEvent<
  'MatchCleared.v1',
  { readonly identityId: string; readonly list: string; readonly entryId: string; readonly listVersion: string | null }
>;

/** The person is erased. Earlier events of the stream are removed after it. */
export type MatchesForgotten = DomainEvent<'MatchesForgotten.v1', { readonly identityId: string }>;

export type MatchEvent = IdentityScreened | MatchFound | MatchCleared | MatchesForgotten;
