import { type DomainEvent } from '../../kernel/decider.js';
import { type TenantId } from '../../kernel/ids.js';

export const MATCH_STREAM_PREFIX = 'match-';

/** What screening found of one identity: `match-<tenant>_<the 32 digits of the identity id>`. */
export const matchStream = (tenantId: TenantId, identityId: string): string =>
  `${MATCH_STREAM_PREFIX}${tenantId}_${identityId.slice('idn_'.length)}`;

/** An entry of a sanctions list that an identity resembles. */
export interface FoundMatch {
  readonly list: string;
  readonly entryId: string;
  /** SHA-256 of what the entry says. A changed entry is a new match. */
  readonly entryDigest: string;
  /** 0–1. */
  readonly score: number;
  readonly status: 'potential_match' | 'confirmed_match';
  readonly listVersion: string;
}

/** Screening at ingestion, or on a new list version, found an entry. */
export type SanctionsMatchFound = DomainEvent<'SanctionsMatchFound.v1', FoundMatch & { readonly identityId: string }>;

/** A later screening no longer finds the entry: it left the list or changed, or the record changed. */
export type SanctionsMatchCleared = DomainEvent<
  'SanctionsMatchCleared.v1',
  { readonly identityId: string; readonly list: string; readonly entryId: string; readonly listVersion: string | null }
>;

/** The person is erased. Earlier events of the stream are removed after it. */
export type MatchesForgotten = DomainEvent<'MatchesForgotten.v1', { readonly identityId: string }>;

export type MatchEvent = SanctionsMatchFound | SanctionsMatchCleared | MatchesForgotten;
