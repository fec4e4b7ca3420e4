import { actorInWords, actorOf } from '../../kernel/audit-actors.js';
import { type Recorded } from '../../kernel/events.js';
import { NOT_ANOTHER } from '../../kernel/persons.js';
import { refuse, type Rejection } from '../../kernel/rejection.js';
import { type StreamDecider } from '../../kernel/category.js';
import {
  type DecisionEvent,
  type DecisionMatched,
  type Judgement,
  type MatchOverdue,
  type MatchReviewed,
} from './decision.events.js';

export type DecisionCommand =
  | { readonly kind: 'announce'; readonly matched: DecisionMatched['data'] }
  | ReviewMatch
  | { readonly kind: 'overdue'; readonly overdue: MatchOverdue['data'] }
  | { readonly kind: 'erase'; readonly decisionId: string; readonly now: Date };

export interface ReviewMatch {
  readonly kind: 'review';
  readonly event: MatchReviewed;
  /** The one that the reviewer saw. Absent: any. */
  readonly version?: number | undefined;
  /** Whether a judgement needs a second person. */
  readonly fourEyes: boolean;
  /** Whether the reviewer cannot be the person behind this actor. */
  readonly isAnother: (actor: string) => boolean;
}

export type Change = 'assigned' | 'proposed' | 'rejected' | 'reopened' | Judgement;

export interface Proposal {
  readonly judgement: Judgement;
  readonly by: string;
  readonly presentDigest: string | null;
  /** Of the person as the proposer saw it. */
  readonly dismissalHash: string;
}

/** The review of one match so far. */
export interface MatchReview {
  /** 1 as found; one more with each change. */
  readonly version: number;
  readonly status: 'open' | 'proposed' | Judgement;
  /** What waits for a second person. */
  readonly proposal: Proposal | undefined;
  /** Undefined where nothing changed, or an earlier dismissal of the same query counts. */
  readonly last: { readonly change: Change; readonly at: string; readonly by: string } | undefined;
}

/** What followed one decision. */
export interface Decision {
  readonly announced: boolean;
  readonly erased: boolean;
  /** Places of the matches that were overdue. */
  readonly overdue: ReadonlySet<number>;
  /** By the place of the match. Absent: as found, and open. */
  readonly reviews: ReadonlyMap<number, MatchReview>;
}

/** Assignments and reopenings of one match. Each review reads all of them. */
const MAX_CHANGES = 100;
/** A proposal beyond them may still be rejected, so that no one has to approve a wrong one. */
const MAX_REJECTED = 2 * MAX_CHANGES;

const AS_FOUND: MatchReview = { version: 1, status: 'open', proposal: undefined, last: undefined };

export const REVIEW_CHANGES: Readonly<Record<MatchReviewed['type'], Change>> = {
  'MatchAssigned.v1': 'assigned',
  'MatchConfirmed.v1': 'confirmed',
  'MatchDismissed.v1': 'dismissed',
  'MatchReopened.v1': 'reopened',
  'MatchProposed.v1': 'proposed',
  'ProposalRejected.v1': 'rejected',
};

export const reviewOf = (decision: Decision, matchIndex: number): MatchReview =>
  decision.reviews.get(matchIndex) ?? AS_FOUND;

/** Who changed the match last, how and when. */
const lastChange = ({ version, status, last }: MatchReview): string => {
  if (last === undefined)
    return status === 'open'
      ? `The match has version ${version}`
      : 'The match was dismissed with an earlier one of the same query';
  const change = last.change === 'rejected' ? 'opened by a rejection' : last.change;
  return `The match was ${change} at ${last.at} by ${actorInWords(last.by)} and has version ${version}`;
};

const NEXT_STEP: Readonly<Record<MatchReview['status'], string>> = {
  open: 'it is open',
  proposed: 'another person approves or rejects that',
  confirmed: 'reopen it to change that',
  dismissed: 'reopen it to change that',
};

/** The states in which a match may change so. A judgement that approves none is made by one person. */
const statesFor = ({ type, data }: MatchReviewed): readonly MatchReview['status'][] => {
  switch (type) {
    case 'MatchReopened.v1':
      return ['confirmed', 'dismissed'];
    case 'ProposalRejected.v1':
      return ['proposed'];
    case 'MatchAssigned.v1':
      return ['open', 'proposed'];
    case 'MatchProposed.v1':
      return ['open'];
    case 'MatchConfirmed.v1':
    case 'MatchDismissed.v1':
      return data.proposedBy === null ? ['open'] : ['proposed'];
  }
};

/** A judgement is never too late: it ends the changes. */
const MOST_VERSIONS: Partial<Record<MatchReviewed['type'], number>> = {
  'MatchReopened.v1': MAX_CHANGES,
  'MatchAssigned.v1': MAX_CHANGES,
  'ProposalRejected.v1': MAX_REJECTED,
};

const faultOf = (event: MatchReviewed, review: MatchReview, version: number | undefined): string | undefined => {
  if (version !== undefined && version !== review.version) return `${lastChange(review)}, not ${version}`;
  if (!statesFor(event).includes(review.status)) return `${lastChange(review)}: ${NEXT_STEP[review.status]}`;
  const most = MOST_VERSIONS[event.type] ?? Infinity;
  return review.version > most ? `The match has changed ${most} times: confirm or dismiss it` : undefined;
};

const conflict = (detail: string): Rejection => refuse('match_changed', { detail });

/** No judgement counts that one person made alone while four eyes were asked. */
const refuseOnePerson = ({ event, fourEyes, isAnother }: ReviewMatch, { proposal }: MatchReview): void => {
  if (event.type !== 'MatchConfirmed.v1' && event.type !== 'MatchDismissed.v1') return;
  const { proposedBy } = event.data;
  if (proposedBy === null && !fourEyes) return;
  if (proposal === undefined) throw conflict('A judgement of this account needs a second person: propose it first');
  const isThatOne = proposal.by === proposedBy && proposal.judgement === REVIEW_CHANGES[event.type];
  if (event.data.dismissalHash !== proposal.dismissalHash)
    throw conflict('The person’s record changed since the proposal: reject it, and propose anew');
  if (!isThatOne) throw conflict('Another judgement is proposed by now: read the match again');
  if (!isAnother(proposal.by)) throw refuse('forbidden', { detail: NOT_ANOTHER });
};

const decide = (command: DecisionCommand, decision: Decision): readonly DecisionEvent[] => {
  if (command.kind === 'erase') {
    const { decisionId, now } = command;
    return decision.erased ? [] : [{ type: 'DecisionErased.v1', data: { decisionId, erasedAt: now.toISOString() } }];
  }
  if (command.kind === 'announce') {
    if (decision.announced || decision.erased || command.matched.matches.length === 0) return [];
    return [{ type: 'DecisionMatched.v1', data: command.matched }];
  }
  if (command.kind === 'overdue') {
    const { matchIndex } = command.overdue;
    const waits = ['open', 'proposed'].includes(reviewOf(decision, matchIndex).status);
    if (decision.erased || !waits || decision.overdue.has(matchIndex)) return [];
    return [{ type: 'MatchOverdue.v1', data: command.overdue }];
  }
  if (decision.erased) throw refuse('not_found');
  const { event, version } = command;
  const review = reviewOf(decision, event.data.matchIndex);
  const fault = faultOf(event, review, version);
  if (fault !== undefined) throw conflict(fault);
  refuseOnePerson(command, review);
  return [event];
};

const statusAfter = (change: Change, before: MatchReview): MatchReview['status'] => {
  switch (change) {
    case 'assigned':
      return before.status;
    case 'rejected':
    case 'reopened':
      return 'open';
    case 'proposed':
    case 'confirmed':
    case 'dismissed':
      return change;
  }
};

const proposalAfter = (event: Recorded<MatchReviewed>, { proposal }: MatchReview): Proposal | undefined => {
  if (event.type === 'MatchAssigned.v1') return proposal;
  if (event.type !== 'MatchProposed.v1') return undefined;
  const { judgement, presentDigest, dismissalHash } = event.data;
  return { judgement, presentDigest, dismissalHash, by: actorOf(event.metadata.actor) };
};

const reviewed = (decision: Decision, event: Recorded<MatchReviewed>): Decision => {
  const { type, data, metadata } = event;
  const before = reviewOf(decision, data.matchIndex);
  const change = REVIEW_CHANGES[type];
  const after: MatchReview = {
    version: before.version + 1,
    status: statusAfter(change, before),
    proposal: proposalAfter(event, before),
    last: { change, at: metadata.time, by: actorOf(metadata.actor) },
  };
  return { ...decision, reviews: new Map(decision.reviews).set(data.matchIndex, after) };
};

const announced = (decision: Decision, { matches }: DecisionMatched['data']): Decision => {
  const dismissed = matches.filter((match) => match.dismissed);
  const reviews = dismissed.map(({ matchIndex }) => [matchIndex, { ...AS_FOUND, status: 'dismissed' }] as const);
  return { ...decision, announced: true, reviews: new Map([...reviews, ...decision.reviews]) };
};

const evolve = (decision: Decision, event: Recorded<DecisionEvent>): Decision => {
  switch (event.type) {
    case 'DecisionMatched.v1':
      return announced(decision, event.data);
    case 'MatchOverdue.v1':
      return { ...decision, overdue: new Set(decision.overdue).add(event.data.matchIndex) };
    case 'DecisionErased.v1':
      return { ...decision, erased: true };
    case 'MatchAssigned.v1':
    case 'MatchConfirmed.v1':
    case 'MatchDismissed.v1':
    case 'MatchReopened.v1':
    case 'MatchProposed.v1':
    case 'ProposalRejected.v1':
      return reviewed(decision, event);
  }
};

export const decisionDecider = {
  initialState: (): Decision => ({ announced: false, erased: false, overdue: new Set(), reviews: new Map() }),
  decide,
  evolve,
} satisfies StreamDecider<Decision, DecisionCommand, DecisionEvent>;
