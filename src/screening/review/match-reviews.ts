import { tenantMetadata } from '../../kernel/events.js';
import { Injectable } from '@nestjs/common';
import { SCREENING } from '../../../projections/screening/screening.queries.js';
import { type AuditAction } from '../../kernel/contract.js';
import { AuditTrail } from '../../kernel/access.js';
import { auditedChange } from '../../kernel/audited-change.js';
import { deriveUuid, newUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { decisionSubject } from '../../platform/crypto/decision-keys.js';
import { Vault } from '../../platform/crypto/vault.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { ReadModels } from '../../log/project/projection.js';
import { DecisionAnnouncements } from '../decisions/decision-announcements.js';
import { type OpenedDecision } from '../decisions/opened-decision.js';
import { DecisionFinder, referenceOf } from '../decisions/decision-finder.js';
import { Judge } from '../decisions/judge.js';
import { decisionCategory } from '../domain/decision.category.js';
import { type DecisionEvent, decisionStream, type MatchReviewed } from '../domain/decision.events.js';
import { type Decision, type DecisionCommand, decisionDecider, reviewOf } from '../domain/decision.js';
import { matchOf, type StoredMatch } from '../domain/stored-decision.js';

type Caller = RequestContext<TenantPrincipal>;

export type Review = 'dismiss' | 'confirm' | 'assign' | 'reopen';

/** What the reviewer writes, and the version that the reviewer saw. Without one any open match will do. */
export interface ReviewInput {
  readonly text: string;
  readonly version: number | undefined;
}

const AUDIT_ENTRY_NAMESPACE = '0d6b1d5e-8d5b-4f4a-9a58-0f7f0a2f7c61';
/** How long an answer waits for the read model, milliseconds. */
const WAIT_BUDGET_MS = 5_000;

const ACTIONS: Readonly<Record<Review, AuditAction>> = {
  dismiss: 'match_dismissed',
  confirm: 'match_confirmed',
  assign: 'match_assigned',
  reopen: 'match_reopened',
};

/** The field of the event that holds the reviewer's text. */
const TEXT_FIELDS: Readonly<Record<Review, string>> = {
  dismiss: 'reason',
  confirm: 'note',
  assign: 'to',
  reopen: 'reason',
};

interface Reviewed extends OpenedDecision {
  readonly match: StoredMatch;
  readonly index: number;
}

/** What a tenant makes of a match: another person, the listed one, or for somebody to judge. */
@Injectable()
export class MatchReviews {
  private readonly log: Aggregates<Decision, DecisionCommand, DecisionEvent>;

  constructor(
    private readonly decisions: DecisionFinder,
    private readonly announcements: DecisionAnnouncements,
    private readonly judge: Judge,
    private readonly vault: Vault,
    private readonly audit: AuditTrail,
    private readonly readModels: ReadModels,
    aggregates: AggregateStore,
  ) {
    this.log = aggregates.of(decisionCategory);
  }

  /**
   * Durable, and seen by the next check, when it resolves to the version of the match. Throws not_found, or match_changed where it is
   * no longer as the reviewer saw it.
   */
  async review(id: string, review: Review, { text, version }: ReviewInput, context: Caller): Promise<number> {
    const { tenantId } = context.principal;
    const reviewed = await this.find(id, tenantId);
    const { row } = reviewed;
    await this.announcements.surelyAnnounce(row);
    const stream = decisionStream(tenantId, row.decisionId);
    const eventId = context.keyed?.effectId(review) ?? newUuid();
    const event = await this.toEvent(reviewed, { review, text, eventId });
    const { position } = await auditedChange(this.audit, (record) =>
      this.log.execute(
        stream,
        { kind: 'review', event, version },
        {
          firstEventId: eventId,
          inTurn: true,
          metadata: tenantMetadata(context),
          beforehand: () =>
            record({
              entryId: deriveUuid(AUDIT_ENTRY_NAMESPACE, eventId),
              tenantId,
              action: ACTIONS[review],
              result: 'ok',
              ...this.judge.auditedPerson({ query: reviewed.decision.query, identityHash: reviewed.identityHash }),
              about: { ...referenceOf(reviewed), matchId: id },
              access: context,
            }),
        },
      ),
    );
    // It is durable. Only its effect on the next check cannot be promised yet.
    if (position !== undefined) await this.readModels.reach(SCREENING, position, WAIT_BUDGET_MS);
    return this.versionAfter(stream, eventId, reviewed.index);
  }

  /** Of the match, as this change left it: a repeat answers as the first attempt did. */
  private async versionAfter(stream: string, eventId: string, index: number): Promise<number> {
    const { events } = await this.log.load(stream);
    const own = events.findIndex(({ id }) => id === eventId);
    const until = events.slice(0, own + 1).reduce(decisionDecider.evolve, decisionDecider.initialState());
    return reviewOf(until, index).version;
  }

  private async find(id: string, tenantId: TenantId): Promise<Reviewed> {
    const named = matchOf(id);
    const found = named && (await this.decisions.find(named.decisionId, tenantId));
    const match = named && found?.decision.matches[named.index];
    if (named === undefined || found === undefined || match === undefined) throw refuse('not_found');
    return { ...found, match, index: named.index };
  }

  private async toEvent(
    { row, decision, keyId, match, index: matchIndex }: Reviewed,
    { review, text, eventId }: { readonly review: Review; readonly text: string; readonly eventId: string },
  ): Promise<MatchReviewed> {
    const { tenantId, decisionId, identityId } = row;
    // It goes with the person, or with the decision.
    const key = await this.vault.subjectKey(tenantId, identityId ?? decisionSubject(decisionId));
    // A key that was made anew would outlive the erasure that is under way.
    if (key.id !== keyId) throw refuse('not_found');
    const place = { tenantId, stream: decisionStream(tenantId, decisionId), eventId, field: TEXT_FIELDS[review] };
    const sealed = this.vault.seal(key, place, text);
    if (review === 'assign') return { type: 'MatchAssigned.v1', data: { decisionId, matchIndex, to: sealed } };
    const dismissalHash = this.judge.dismissalHash(tenantId, decision.query, match.entryDigest);
    const judged = { decisionId, matchIndex, dismissalHash };
    if (review === 'confirm') return { type: 'MatchConfirmed.v1', data: { ...judged, note: sealed } };
    return {
      type: review === 'dismiss' ? 'MatchDismissed.v1' : 'MatchReopened.v1',
      data: { ...judged, reason: sealed },
    };
  }
}
