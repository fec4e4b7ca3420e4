import { Injectable } from '@nestjs/common';
import { type MatchRow } from '../../../projections/screening/screening.queries.js';
import { isRejection } from '../../kernel/rejection.js';
import { isKeyAway } from '../../platform/crypto/open-if-possible.js';
import { DecisionFinder } from '../decisions/decision-finder.js';
import { type DecisionSubject } from '../decisions/opened-decision.js';
import { type ComparedEntry } from '../matching/engine-messages.js';
import { type ListId, Screener } from '../screener.js';

/** What a match is about. */
export interface RevealedMatch {
  /** Undefined where it was erased, or where its data key is away. */
  readonly subject: DecisionSubject | undefined;
  /** Null where the version of the list is not kept, or where nothing can be compared. */
  readonly compared: ComparedEntry | null;
}

const versionOf = ({ list, listVersion }: MatchRow): string => `${list} ${listVersion}`;

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
    const compared = new Map<MatchRow, ComparedEntry | null>();
    const versions = new Set(rows.map(versionOf));
    for (const version of versions) {
      const ofVersion = rows.filter((row) => versionOf(row) === version);
      const pairs = ofVersion.flatMap((row) => {
        const subject = subjects[rows.indexOf(row)];
        return subject === undefined ? [] : [{ row, entryId: row.entryId, query: subject.query }];
      });
      const found = await this.compare(ofVersion, pairs);
      for (const [index, { row }] of pairs.entries()) compared.set(row, found[index] ?? null);
    }
    return rows.map((row, index) => ({ subject: subjects[index], compared: compared.get(row) ?? null }));
  }

  private async subjectOf({ tenantId, decisionId }: MatchRow): Promise<DecisionSubject | undefined> {
    try {
      return await this.decisions.subject(decisionId, tenantId);
    } catch (error) {
      if (isKeyAway(error)) return undefined;
      throw error;
    }
  }

  private async compare(
    [first]: readonly MatchRow[],
    pairs: readonly { readonly entryId: string; readonly query: DecisionSubject['query'] }[],
  ): Promise<readonly (ComparedEntry | null)[]> {
    if (first === undefined || pairs.length === 0) return [];
    const asked = pairs.map(({ entryId, query }) => ({ entryId, query }));
    try {
      return await this.screener.compare(first.list as ListId, first.listVersion, asked);
    } catch (error) {
      if (isRejection(error, 'unavailable')) return [];
      throw error;
    }
  }
}
