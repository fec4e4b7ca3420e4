import { Injectable } from '@nestjs/common';
import { matchesOf } from '../../../projections/screening/screening.queries.js';
import { type Envelope } from '../../kernel/envelope.js';
import { refuse } from '../../kernel/rejection.js';
import { decisionSubject } from '../../platform/crypto/decision-keys.js';
import { Vault } from '../../platform/crypto/vault.js';
import { ReadModels } from '../../log/project/projection.js';
import { Decisions } from '../decisions/decisions.js';
import { Judge } from '../decisions/judge.js';
import { type OpenedDecision } from '../decisions/opened-decision.js';
import { decisionStream, type MatchReviewed } from '../domain/decision.events.js';
import { type Proposal } from '../domain/decision.js';
import { type StoredMatch } from '../domain/stored-decision.js';
import { Screener } from '../screener.js';

export type Review = 'dismiss' | 'confirm' | 'assign' | 'reopen' | 'approve' | 'reject';

const JUDGEMENTS = { confirm: 'confirmed', dismiss: 'dismissed' } as const;

export interface Reviewed extends OpenedDecision {
  readonly match: StoredMatch;
  readonly index: number;
}

/** What a review is to write. */
export interface WantedReview {
  readonly review: Review;
  readonly text: string;
  /** For an assignment; null: the text says whose turn it is. */
  readonly memberId: string | null;
  readonly eventId: string;
  readonly fourEyes: boolean;
}

const CHANGED = 'What the proposal rests on changed since: reject it, and propose anew';

/** Writes the events of reviews, their texts sealed for the person or the decision. */
@Injectable()
export class ReviewWriter {
  constructor(
    private readonly decisions: Decisions,
    private readonly judge: Judge,
    private readonly screener: Screener,
    private readonly vault: Vault,
    private readonly readModels: ReadModels,
  ) {}

  auditedPerson({ decision: { query }, identityHash }: Reviewed): ReturnType<Judge['auditedPerson']> {
    return this.judge.auditedPerson({ query, identityHash });
  }

  /** Of any review but an approval. With four eyes, a judgement is a proposal. */
  async toEvent(reviewed: Reviewed, wanted: WantedReview): Promise<MatchReviewed> {
    const { review, fourEyes } = wanted;
    const sealed = await this.sealer(reviewed, wanted);
    const place = { decisionId: reviewed.row.decisionId, matchIndex: reviewed.index };
    if (review === 'assign') {
      const { memberId } = wanted;
      const to = memberId === null ? sealed('to') : null;
      return { type: 'MatchAssigned.v1', data: { ...place, to, memberId } };
    }
    if (review === 'reject') return { type: 'ProposalRejected.v1', data: { ...place, note: sealed('note') } };
    const judged = { ...place, dismissalHash: this.dismissalHash(reviewed) };
    if (review === 'confirm' || review === 'dismiss') {
      const judgement = JUDGEMENTS[review];
      if (!fourEyes) return toJudgement(judged, { judgement, by: null }, sealed);
      const presentDigest = await this.presentDigest(reviewed);
      return { type: 'MatchProposed.v1', data: { ...judged, judgement, presentDigest, reason: sealed('reason') } };
    }
    return { type: 'MatchReopened.v1', data: { ...judged, reason: sealed('reason') } };
  }

  /** Throws match_changed where the list or the record changed since the proposal, or Unavailable. */
  async toApproval(reviewed: Reviewed, wanted: WantedReview, proposal: Proposal): Promise<MatchReviewed> {
    const { row, index } = reviewed;
    await this.decisions.upToDate();
    const shown = (await matchesOf(this.readModels, row.decisionId)).find((each) => each.index === index);
    if (shown?.endedAt !== null) throw refuse('match_changed', { detail: `${CHANGED}; the match ended` });
    if ((await this.presentDigest(reviewed)) !== proposal.presentDigest)
      throw refuse('match_changed', { detail: `${CHANGED}; the list says something else of the entry` });
    const judged = { decisionId: row.decisionId, matchIndex: index, dismissalHash: this.dismissalHash(reviewed) };
    return toJudgement(judged, proposal, await this.sealer(reviewed, wanted));
  }

  private async sealer({ row, keyId }: Reviewed, { text, eventId }: WantedReview): Promise<Sealer> {
    const { tenantId, decisionId, identityId } = row;
    // It goes with the person, or with the decision.
    const key = await this.vault.subjectKey(tenantId, identityId ?? decisionSubject(decisionId));
    // A key that was made anew would outlive the erasure that is under way.
    if (key.id !== keyId) throw refuse('not_found');
    const stream = decisionStream(tenantId, decisionId);
    return (field) => this.vault.seal(key, { tenantId, stream, eventId, field }, text);
  }

  private dismissalHash({ row, decision, match }: Reviewed): string {
    return this.judge.dismissalHash(row.tenantId, decision.query, match.entryDigest);
  }

  /** Of the entry in the list in force. Null: it has none. Throws Unavailable. */
  private async presentDigest({ match, decision }: Reviewed): Promise<string | null> {
    const [present] = await this.screener.compare(match.list, null, [
      { entryId: match.entryId, query: decision.query },
    ]);
    return present?.digest ?? null;
  }
}

type Sealer = (field: string) => Envelope;

const toJudgement = (
  judged: { readonly decisionId: string; readonly matchIndex: number; readonly dismissalHash: string },
  { judgement, by }: Pick<Proposal, 'judgement'> & { readonly by: string | null },
  sealed: Sealer,
): MatchReviewed =>
  judgement === 'confirmed'
    ? { type: 'MatchConfirmed.v1', data: { ...judged, proposedBy: by, note: sealed('note') } }
    : { type: 'MatchDismissed.v1', data: { ...judged, proposedBy: by, reason: sealed('reason') } };
