import { tenantMetadata } from '../../kernel/events.js';
import { Injectable } from '@nestjs/common';
import { SCREENING } from '../../../projections/screening/screening.queries.js';
import { type AuditAction } from '../../kernel/contract.js';
import { AuditTrail } from '../../kernel/access.js';
import { auditedChange } from '../../kernel/audited-change.js';
import { invariant } from '../../kernel/invariant.js';
import { Persons } from '../../kernel/persons.js';
import { deriveUuid, newUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { ReadModels } from '../../log/project/projection.js';
import { DecisionAnnouncements } from '../decisions/decision-announcements.js';
import { DecisionFinder, referenceOf } from '../decisions/decision-finder.js';
import { decisionCategory } from '../domain/decision.category.js';
import { type DecisionEvent, decisionStream, type MatchReviewed } from '../domain/decision.events.js';
import {
  type Change,
  type Decision,
  type DecisionCommand,
  decisionDecider,
  type MatchReview,
  REVIEW_CHANGES,
  reviewOf,
} from '../domain/decision.js';
import { matchOf } from '../domain/stored-decision.js';
import { ReviewSettingsDesk } from '../settings/review-settings-desk.js';
import { type Review, type Reviewed, ReviewWriter, type WantedReview } from './review-writer.js';

type Caller = RequestContext<TenantPrincipal>;

/** What the reviewer writes, and the version that the reviewer saw. Without one any open match will do. */
export interface ReviewInput {
  readonly text: string;
  readonly version: number | undefined;
  /** For an assignment, in place of a text. */
  readonly memberId?: string | undefined;
}

const AUDIT_ENTRY_NAMESPACE = '0d6b1d5e-8d5b-4f4a-9a58-0f7f0a2f7c61';
/** How long an answer waits for the read model, milliseconds. */
const WAIT_BUDGET_MS = 5_000;

const ACTIONS: Readonly<Record<Change, AuditAction>> = {
  dismissed: 'match_dismissed',
  confirmed: 'match_confirmed',
  assigned: 'match_assigned',
  reopened: 'match_reopened',
  proposed: 'match_proposed',
  rejected: 'proposal_rejected',
};

/** How a match is once it was reviewed. */
export interface AfterReview {
  readonly version: number;
  readonly status: MatchReview['status'];
}

/** What a tenant makes of a match: another person, the listed one, or not judged yet. */
@Injectable()
export class MatchReviews {
  private readonly log: Aggregates<Decision, DecisionCommand, DecisionEvent>;

  constructor(
    private readonly finder: DecisionFinder,
    private readonly announcements: DecisionAnnouncements,
    private readonly writer: ReviewWriter,
    private readonly settings: ReviewSettingsDesk,
    private readonly persons: Persons,
    private readonly audit: AuditTrail,
    private readonly readModels: ReadModels,
    aggregates: AggregateStore,
  ) {
    this.log = aggregates.of(decisionCategory);
  }

  /**
   * Durable, and seen by the next check, when it resolves. Where the account asks for four eyes, a judgement is a proposal. Throws
   * not_found, forbidden where one person approves what they proposed, or match_changed where it is no longer as the reviewer saw it.
   */
  async review(
    id: string,
    review: Review,
    { text, version, memberId }: ReviewInput,
    context: Caller,
  ): Promise<AfterReview> {
    const { tenantId, actorId } = { ...context.principal, ...context };
    const [reviewed, { fourEyes }, areApart] = await Promise.all([
      this.find(id, tenantId),
      this.settings.of(tenantId),
      this.persons.of(tenantId),
    ]);
    const { row } = reviewed;
    if (memberId !== undefined && !(await this.persons.hasMember(tenantId, memberId)))
      throw refuse('invalid_field', { field: 'member_id', detail: 'The account has no such member' });
    await this.announcements.surelyAnnounce(row);
    const stream = decisionStream(tenantId, row.decisionId);
    const eventId = context.keyed?.effectId(`${review} ${id}`) ?? newUuid();
    const before = context.keyed && (await this.after(stream, eventId, reviewed.index));
    if (before !== undefined) return before;
    const event = await this.toEvent(reviewed, { review, text, memberId: memberId ?? null, eventId, fourEyes });
    const isAnother = (proposer: string): boolean => areApart(proposer, actorId);
    const { position } = await auditedChange(this.audit, (record) =>
      this.log.execute(
        stream,
        { kind: 'review', event, version, fourEyes, isAnother },
        {
          firstEventId: eventId,
          inTurn: true,
          metadata: tenantMetadata(context),
          beforehand: () =>
            record({
              entryId: deriveUuid(AUDIT_ENTRY_NAMESPACE, eventId),
              tenantId,
              action: ACTIONS[REVIEW_CHANGES[event.type]],
              result: 'ok',
              ...this.writer.auditedPerson(reviewed),
              about: { ...referenceOf(reviewed), matchId: id },
              access: context,
            }),
        },
      ),
    );
    // It is durable. Only its effect on the next check cannot be promised yet.
    if (position !== undefined) await this.readModels.reach(SCREENING, position, WAIT_BUDGET_MS);
    const after = await this.after(stream, eventId, reviewed.index);
    invariant(after !== undefined, 'a review is in its stream');
    return after;
  }

  /** As this change left it. Undefined where it was not made. */
  private async after(stream: string, eventId: string, index: number): Promise<AfterReview | undefined> {
    const { events } = await this.log.load(stream);
    const own = events.findIndex(({ id }) => id === eventId);
    if (own < 0) return undefined;
    const until = events.slice(0, own + 1).reduce(decisionDecider.evolve, decisionDecider.initialState());
    const { version, status } = reviewOf(until, index);
    return { version, status };
  }

  private async find(id: string, tenantId: TenantId): Promise<Reviewed> {
    const named = matchOf(id);
    const found = named && (await this.finder.find(named.decisionId, tenantId));
    const match = named && found?.decision.matches[named.index];
    if (named === undefined || found === undefined || match === undefined) throw refuse('not_found');
    return { ...found, match, index: named.index };
  }

  private async toEvent(reviewed: Reviewed, wanted: WantedReview): Promise<MatchReviewed> {
    if (wanted.review !== 'approve') return this.writer.toEvent(reviewed, wanted);
    const { state } = await this.log.load(decisionStream(reviewed.row.tenantId, reviewed.row.decisionId));
    const { proposal } = reviewOf(state, reviewed.index);
    if (proposal === undefined) throw refuse('match_changed', { detail: 'No judgement of the match is proposed' });
    return this.writer.toApproval(reviewed, wanted, proposal);
  }
}
