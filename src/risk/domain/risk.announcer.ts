import { type Announcer } from '../../kernel/announcement.js';
import { type StoredEvent } from '../../kernel/events.js';
import { RISK_STREAM_PREFIX, type RiskScoreChanged } from './risk.events.js';

export const riskAnnouncer: Announcer = {
  streamPrefixes: [RISK_STREAM_PREFIX],
  eventTypes: ['RiskScoreChanged.v1'] satisfies readonly RiskScoreChanged['type'][],
  announce(event: StoredEvent) {
    const { data } = event as StoredEvent<RiskScoreChanged>;
    return [
      {
        type: 'risk_score.changed',
        data: {
          identity_id: data.identityId,
          risk_score: data.score,
          risk_level: data.level,
          previous_score: data.previousScore,
          previous_level: data.previousLevel,
          changed_at: event.metadata.time,
        },
      },
    ];
  },
};
