import { type Announcement, type Announcer } from '../../kernel/announcement.js';
import { type Recorded, type StoredEvent } from '../../kernel/events.js';
import { type DecidedMatch, DECISION_STREAM_PREFIX, type DecisionMatched } from './decision.events.js';
import { matchId } from './stored-decision.js';
import { MATCH_STREAM_PREFIX, type MatchFound } from './identity-match.events.js';

type Announced = DecisionMatched | MatchFound;

const announcementOf = (
  { kind, decisionId }: Pick<Announced['data'], 'kind' | 'decisionId'>,
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

/** A check that was not clear, and what screening in the background found of an identity. */
export const screeningAnnouncer: Announcer = {
  streamPrefixes: [DECISION_STREAM_PREFIX, MATCH_STREAM_PREFIX],
  eventTypes: ['DecisionMatched.v1', 'MatchFound.v1'] satisfies readonly Announced['type'][],
  announce(event: StoredEvent) {
    const { type, data } = event as Recorded<Announced>;
    if (type === 'DecisionMatched.v1') {
      const counted = data.matches.filter(({ dismissed }) => !dismissed);
      return counted.map((match) => announcementOf(data, match));
    }
    return [announcementOf(data, data, { identity_id: data.identityId })];
  },
};
