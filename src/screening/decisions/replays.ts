import { Injectable } from '@nestjs/common';
import { type TenantId } from '../../kernel/ids.js';
import { type Difference, differenceOf, isSame } from '../domain/replay.js';
import { type ClearedEntry, type ListVersions, Screener, type ScreeningOutcome } from '../screener.js';
import { type SanctionsStatus, statusOf, gravest } from '../domain/judgement.js';
import { type StoredDecision, type StoredMatch } from '../domain/stored-decision.js';
import { type OpenedDecision } from './opened-decision.js';
import { Judge, type JudgedMatch, shownOf, storedMatch } from './judge.js';

/** What one engine said of the query, on these list versions. */
export interface Verdict {
  readonly status: SanctionsStatus;
  readonly versions: ListVersions;
  readonly engineVersion: string;
  readonly matches: readonly StoredMatch[];
  readonly cleared?: readonly ClearedEntry[];
}

export interface Replay {
  readonly opened: OpenedDecision;
  /** The same query against the lists of then, by today's engine. */
  readonly then: Verdict;
  /** Whether that gives what was stored. */
  readonly reproduced: boolean;
  /** The same query against the lists of now. */
  readonly now: Verdict;
  /** From what was stored to what the lists say now. */
  readonly difference: Difference;
}

/** Runs a stored query again. The stored result stays the authoritative one. */
@Injectable()
export class Replays {
  constructor(
    private readonly screener: Screener,
    private readonly judge: Judge,
  ) {}

  async replay(opened: OpenedDecision): Promise<Replay> {
    const { decision } = opened;
    const { kind, query, versions } = decision;
    const again = await this.screener.screenAgainst(versions, kind, query);
    const then = this.asStored(decision, opened.row.identityId === null ? again : onlyStored(decision, again));
    const present = await this.screener.screen(kind, query);
    const now = await this.asJudged(opened.row.tenantId, decision, present);
    const reproduced = isSame(differenceOf(decision, then));
    return { opened, then, reproduced, now, difference: differenceOf(decision, now) };
  }

  /** A match that was dismissed then is dismissed in the replay too. */
  private asStored({ matches, thresholds, total }: StoredDecision, outcome: ScreeningOutcome): Verdict {
    const dismissed = new Set(matches.filter((match) => match.dismissed).map(({ entryDigest }) => entryDigest));
    const all = outcome.matches.map((match): JudgedMatch => {
      return { match, status: statusOf(match, thresholds), dismissed: dismissed.has(match.entryDigest) };
    });
    const status = gravest(all.filter((each) => !each.dismissed).map((each) => each.status));
    // A decision has no more than fitted.
    const shown = shownOf(all).slice(0, total > matches.length ? matches.length : undefined);
    return verdictOf(outcome, status, shown);
  }

  private async asJudged(tenantId: TenantId, { query }: StoredDecision, outcome: ScreeningOutcome): Promise<Verdict> {
    const { status, shown } = await this.judge.judge(tenantId, query, outcome);
    return verdictOf(outcome, status, shown);
  }
}

/** Screening in the background decides on what was not known before; the rest was decided earlier. */
const onlyStored = ({ matches }: StoredDecision, outcome: ScreeningOutcome): ScreeningOutcome => {
  const stored = new Set(matches.map(({ list, entryId }) => `${list}/${entryId}`));
  return { ...outcome, matches: outcome.matches.filter(({ list, entryId }) => stored.has(`${list}/${entryId}`)) };
};

const verdictOf = (
  { versions, engineVersion, cleared }: ScreeningOutcome,
  status: SanctionsStatus,
  shown: readonly JudgedMatch[],
): Verdict => ({
  status,
  versions,
  engineVersion,
  matches: shown.map(storedMatch),
  cleared,
});
