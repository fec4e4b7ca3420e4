import { type Announcement, type Announcer } from '../../kernel/announcement.js';
import { type Recorded, type StoredEvent } from '../../kernel/events.js';
import {
  type DecidedMatch,
  DECISION_STREAM_PREFIX,
  type DecisionMatched,
  type MatchOverdue,
} from './decision.events.js';
import { matchId } from './stored-decision.js';
import { MATCH_STREAM_PREFIX, type MatchFound } from './identity-match.events.js';

type Found = DecisionMatched | MatchFound;
type Announced = Found | MatchOverdue;

const announcementOf = (
  { kind, decisionId }: Pick<Found['data'], 'kind' | 'decisionId'>,
  match: DecidedMatch,
  of: Readonly<Record<string, string>> = {},
): Announcement => ({
  type: kind === 'pep' ? 'pep.match' : 'sanctions.match',
  data: {
    ...of,
    decision_id: decisionId,
    match_id: matchId(decisionId, match.matchIndex),
    list: match.list,
    entry_id: match.entryId,
    score: match.score,
    list_version: match.listVersion,
  },
});

const overdueOf = (overdue: MatchOverdue['data']): Announcement => ({
  type: 'match.overdue',
  data: {
    decision_id: overdue.decisionId,
    match_id: matchId(overdue.decisionId, overdue.matchIndex),
    list: overdue.list,
    entry_id: overdue.entryId,
    found_at: overdue.foundAt,
    due_at: overdue.dueAt,
  },
});

/** A check that was not clear, a match that waits too long, and what screening in the background found of an identity. */
export const screeningAnnouncer: Announcer = {
  streamPrefixes: [DECISION_STREAM_PREFIX, MATCH_STREAM_PREFIX],
  eventTypes: ['DecisionMatched.v1', 'MatchFound.v1', 'MatchOverdue.v1'] satisfies readonly Announced['type'][],
  announce(event: StoredEvent) {
    const { type, data } = event as Recorded<Announced>;
    if (type === 'DecisionMatched.v1') {
      const counted = data.matches.filter(({ dismissed }) => !dismissed);
      return counted.map((match) => announcementOf(data, match));
    }
    if (type === 'MatchOverdue.v1') return [overdueOf(data)];
    return [announcementOf(data, data, { identity_id: data.identityId })];
  },
};
