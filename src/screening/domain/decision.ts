import { actorOf, shownActor } from '../../kernel/audit-actors.js';
import { type Recorded } from '../../kernel/events.js';
import { refuse, type Rejection } from '../../kernel/rejection.js';
import { type StreamDecider } from '../../kernel/category.js';
import { type DecisionEvent, type DecisionMatched, type MatchReviewed } from './decision.events.js';

export type DecisionCommand =
  | { readonly kind: 'announce'; readonly matched: DecisionMatched['data'] }
  /** `version`: the one that the reviewer saw. Absent: any that is open. */
  | { readonly kind: 'review'; readonly event: MatchReviewed; readonly version?: number | undefined }
  | { readonly kind: 'erase'; readonly decisionId: string; readonly now: Date };

export type Change = 'assigned' | 'confirmed' | 'dismissed' | 'reopened';

/** The review of one match so far. */
export interface MatchReview {
  /** 1 as found; one more with each change. */
  readonly version: number;
  readonly status: 'open' | 'confirmed' | 'dismissed';
  /** Undefined where nothing changed, or an earlier dismissal of the same query counts. */
  readonly last: { readonly change: Change; readonly at: string; readonly by: string } | undefined;
}

/** What followed one decision. */
export interface Decision {
  readonly announced: boolean;
  readonly erased: boolean;
  /** By the place of the match. Absent: as found, and open. */
  readonly reviews: ReadonlyMap<number, MatchReview>;
}

/** Assignments and reopenings of one match. Each review reads all of them. */
const MAX_CHANGES = 100;

const AS_FOUND: MatchReview = { version: 1, status: 'open', last: undefined };

export const REVIEW_CHANGES: Readonly<Record<MatchReviewed['type'], Change>> = {
  'MatchAssigned.v1': 'assigned',
  'MatchConfirmed.v1': 'confirmed',
  'MatchDismissed.v1': 'dismissed',
  'MatchReopened.v1': 'reopened',
};

export const reviewOf = (decision: Decision, matchIndex: number): MatchReview =>
  decision.reviews.get(matchIndex) ?? AS_FOUND;

/** Who changed the match last, how and when. */
const lastChange = ({ version, status, last }: MatchReview): string => {
  if (last === undefined)
    return status === 'open'
      ? `The match has version ${version}`
      : 'The match was dismissed with an earlier one of the same query';
  const { type, key_id: key } = shownActor(last.by);
  const by = key === null ? type : `API key ${key}`;
  return `The match was ${last.change} at ${last.at} by ${by} and has version ${version}`;
};

const faultOf = (type: MatchReviewed['type'], review: MatchReview, version: number | undefined): string | undefined => {
  const isReopening = type === 'MatchReopened.v1';
  if (version !== undefined && version !== review.version) return `${lastChange(review)}, not ${version}`;
  if (isReopening && review.status === 'open') return `${lastChange(review)}: it is open`;
  if (!isReopening && review.status !== 'open') return `${lastChange(review)}: reopen it to change that`;
  // A judgement is never too late: it ends the changes.
  const isBounded = isReopening || type === 'MatchAssigned.v1';
  return isBounded && review.version > MAX_CHANGES
    ? `The match has changed ${MAX_CHANGES} times: confirm or dismiss it`
    : undefined;
};

const conflict = (detail: string): Rejection => refuse('match_changed', { detail });

const decide = (command: DecisionCommand, decision: Decision): readonly DecisionEvent[] => {
  if (command.kind === 'erase') {
    const { decisionId, now } = command;
    return decision.erased ? [] : [{ type: 'DecisionErased.v1', data: { decisionId, erasedAt: now.toISOString() } }];
  }
  if (command.kind === 'announce') {
    if (decision.announced || decision.erased || command.matched.matches.length === 0) return [];
    return [{ type: 'DecisionMatched.v1', data: command.matched }];
  }
  if (decision.erased) throw refuse('not_found');
  const { event, version } = command;
  const fault = faultOf(event.type, reviewOf(decision, event.data.matchIndex), version);
  if (fault !== undefined) throw conflict(fault);
  return [event];
};

const reviewed = (decision: Decision, { type, data, metadata }: Recorded<MatchReviewed>): Decision => {
  const before = reviewOf(decision, data.matchIndex);
  const change = REVIEW_CHANGES[type];
  const status = change === 'assigned' ? before.status : change === 'reopened' ? 'open' : change;
  const last = { change, at: metadata.time, by: actorOf(metadata.actor) };
  const reviews = new Map(decision.reviews).set(data.matchIndex, { version: before.version + 1, status, last });
  return { ...decision, reviews };
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
    case 'DecisionErased.v1':
      return { ...decision, erased: true };
    case 'MatchAssigned.v1':
    case 'MatchConfirmed.v1':
    case 'MatchDismissed.v1':
    case 'MatchReopened.v1':
      return reviewed(decision, event);
  }
};

export const decisionDecider = {
  initialState: (): Decision => ({ announced: false, erased: false, reviews: new Map() }),
  decide,
  evolve,
} satisfies StreamDecider<Decision, DecisionCommand, DecisionEvent>;
