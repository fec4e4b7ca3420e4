import {
  type ListDelta,
  type ListId,
  type ListVersions,
  type ScreeningKind,
  type ScreeningOutcome,
  type ScreeningQuery,
} from './domain/screening-list.js';

import { type ComparedEntry, type ComparedPair } from './matching/engine-messages.js';

export * from './domain/screening-list.js';

/** Screens names against lists. */
export abstract class Screener {
  /** Throws invalid_field, which names the field, where one of these lists is not in force. */
  abstract assertInForce(kind: ScreeningKind, lists: readonly ListId[], field: string): Promise<void>;

  /** Against the present lists. Throws Unavailable in production where a required list is missing or too old. */
  abstract screen(kind: ScreeningKind, query: ScreeningQuery, signal?: AbortSignal): Promise<ScreeningOutcome>;

  /** Against what is in force, however old. Undefined where no list of the kind is: its first version is screened against everybody. */
  abstract screenPresent(
    kind: ScreeningKind,
    query: ScreeningQuery,
    signal?: AbortSignal,
  ): Promise<ScreeningOutcome | undefined>;

  /** The lists in force of this kind that screening goes without, since their files cannot be read. */
  abstract unread(kind: ScreeningKind): readonly ListId[];

  /** Against exactly these versions. Throws Unavailable where the source of one is not kept. */
  abstract screenAgainst(versions: ListVersions, kind: ScreeningKind, query: ScreeningQuery): Promise<ScreeningOutcome>;

  /**
   * One outcome a query, against these entries of a list version only. For screening many identities against what a new
   * version changed.
   */
  abstract screenMany(
    list: ListId,
    version: string,
    entryIds: readonly string[],
    queries: readonly ScreeningQuery[],
  ): Promise<readonly ScreeningOutcome[]>;

  /** Each entry of this list version (null: the one in force) beside its query; null where it has no such entry. */
  abstract compare(
    list: ListId,
    version: string | null,
    pairs: readonly ComparedPair[],
  ): Promise<readonly (ComparedEntry | null)[]>;

  /** What changed between two accepted versions. From null: all entries were added. */
  abstract delta(list: ListId, from: string | null, to: string): Promise<ListDelta>;
}
