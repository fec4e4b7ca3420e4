import { Injectable } from '@nestjs/common';
import { type MatchRow } from '../../../projections/screening/screening.queries.js';
import { isRejection } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { isKeyAway } from '../../platform/crypto/open-if-possible.js';
import { DecisionFinder } from '../decisions/decision-finder.js';
import { type DecisionSubject } from '../decisions/opened-decision.js';
import { type ComparedEntry } from '../matching/engine-messages.js';
import { Screener } from '../screener.js';

/** What a match is about. */
export interface RevealedMatch {
  /** Undefined where it was erased, or where its data key is away. */
  readonly subject: DecisionSubject | undefined;
  /** Null where the version of the list is not at hand, or where nothing can be compared. */
  readonly compared: ComparedEntry | null;
}

interface Pair {
  readonly row: MatchRow;
  readonly subject: DecisionSubject;
}

/** Versions of lists that one answer loads beside those in force. Each takes seconds, and memory. */
const MAX_OLD_VERSIONS = 3;

const versionOf = ({ row: { list, listVersion } }: Pair): string => `${list} ${listVersion}`;

/** What the entry said when it was found. */
const digestOf = ({ row, subject }: Pair): string | undefined => row.entryDigest ?? subject.entryDigests?.[row.index];

/** Shows matches with the persons that were screened and the entries that were found. */
@Injectable()
export class RevealedMatches {
  constructor(
    private readonly decisions: DecisionFinder,
    private readonly screener: Screener,
  ) {}

  /** One for each match, in their order. One that cannot be opened is shown without its person. */
  async reveal(rows: readonly MatchRow[]): Promise<readonly RevealedMatch[]> {
    const subjects = await Promise.all(rows.map((row) => this.subjectOf(row)));
    const pairs = rows.flatMap((row, index) => {
      const subject = subjects[index];
      return subject === undefined ? [] : [{ row, subject }];
    });
    const compared = await this.compareAll(pairs);
    return rows.map((row, index) => ({ subject: subjects[index], compared: compared.get(row) ?? null }));
  }

  /** Undefined where it was erased, or where its data key is away. */
  async subjectOf({ tenantId, decisionId }: MatchRow): Promise<DecisionSubject | undefined> {
    try {
      return await this.decisions.subject(decisionId, tenantId);
    } catch (error) {
      if (isKeyAway(error)) return undefined;
      throw error;
    }
  }

  /** Most entries say the same as when they were found, so the versions in force have them. */
  private async compareAll(pairs: readonly Pair[]): Promise<ReadonlyMap<MatchRow, ComparedEntry>> {
    const compared = new Map<MatchRow, ComparedEntry>();
    for (const list of new Set(pairs.map(({ row }) => row.list))) {
      const ofList = pairs.filter(({ row }) => row.list === list);
      for (const [pair, found] of await this.compare(ofList, null))
        if (found.digest === digestOf(pair)) compared.set(pair.row, found);
    }
    const changed = pairs.filter(({ row }) => !compared.has(row));
    for (const version of [...new Set(changed.map(versionOf))].slice(0, MAX_OLD_VERSIONS)) {
      const ofVersion = changed.filter((pair) => versionOf(pair) === version);
      const found = await this.compare(ofVersion, ofVersion[0]?.row.listVersion ?? '');
      for (const [{ row }, entry] of found) compared.set(row, entry);
    }
    return compared;
  }

  /** Of one list. */
  private async compare(
    pairs: readonly Pair[],
    version: string | null,
  ): Promise<readonly (readonly [Pair, ComparedEntry])[]> {
    const [first] = pairs;
    if (first === undefined) return [];
    const asked = pairs.map(({ row: { entryId }, subject: { query } }) => ({ entryId, query }));
    try {
      const found = await this.screener.compare(first.row.list, version, asked);
      return pairs.flatMap((pair, index) => {
        const entry = found[index];
        return entry ? [[pair, entry] as const] : [];
      });
    } catch (error) {
      const isListAway = error instanceof Unavailable && error.part === 'screening_lists';
      if (isListAway || isRejection(error, 'unavailable')) return [];
      throw error;
    }
  }
}
