import {
  type ChargeReversed,
  CREDITS_STREAM_PREFIX,
  type CreditEvent,
  type OperationCharged,
} from '../../src/credits/domain/credits.events.js';
import { actorOf } from '../../src/kernel/audit-actors.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection, rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { RETENTION_STREAM_PREFIX, type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import {
  type DecidedMatch,
  DECISION_STREAM_PREFIX,
  type DecisionEvent,
  type DecisionMatched,
  type MatchConfirmed,
  type MatchDismissed,
  type MatchProposed,
  type MatchReopened,
  type ProposalRejected,
} from '../../src/screening/domain/decision.events.js';
import {
  type IdentityScreened,
  MATCH_STREAM_PREFIX,
  type MatchEvent,
  type MatchCleared,
  type MatchFound,
} from '../../src/screening/domain/identity-match.events.js';
import { REVIEW_STREAM_PREFIX, type ReviewSettingsChanged } from '../../src/screening/domain/review-settings.events.js';

type ScreeningEvent = Recorded<CreditEvent | RetentionEvent | DecisionEvent | MatchEvent | ReviewSettingsChanged>;

const ADD_DECISION = `
  INSERT INTO decisions (decision_id, tenant_id, kind, result, decided_at, request_id, revision, position, record)
  SELECT decision_id, tenant_id, kind, result, decided_at, request_id, revision, position, record
  FROM json_to_recordset($1::json) AS r(decision_id uuid, tenant_id text, kind text, result text, decided_at timestamptz,
    request_id text, revision bigint, position bigint, record text)`;

const ADD_ASSESSMENT = `
  INSERT INTO assessments (assessment_id, tenant_id, revision, position, request_id, record)
  SELECT decision_id, tenant_id, revision, position, request_id, record
  FROM json_to_recordset($1::json) AS r(decision_id uuid, tenant_id text, revision bigint, position bigint, request_id text,
    record text)`;

const DROP_DECISION = 'DELETE FROM decisions WHERE decision_id = $1';

const DROP_ASSESSMENT = 'DELETE FROM assessments WHERE assessment_id = $1';

const DROP_OLD_ASSESSMENTS = 'DELETE FROM assessments WHERE tenant_id = $1 AND revision < $2';

const DROP_OLD_MATCHES = `
  DELETE FROM matches
  WHERE decision_id IN (SELECT decision_id FROM decisions WHERE tenant_id = $1 AND revision < $2)`;

const DROP_OLD_DECISIONS = 'DELETE FROM decisions WHERE tenant_id = $1 AND revision < $2';

const ADD_DISMISSAL = `
  INSERT INTO dismissals (tenant_id, dismissal_hash, decision_id, match_index, dismissed_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (tenant_id, dismissal_hash, decision_id, match_index) DO NOTHING`;

/** All that was ever dismissed of this match, whichever match it was of, since the record may have changed in between. */
const DROP_DISMISSALS = `
  DELETE FROM dismissals WHERE tenant_id = $1 AND (dismissal_hash = $2 OR dismissal_hash IN (
    SELECT dismissal_hash FROM dismissals WHERE decision_id = $3 AND match_index = $4))`;

const ADD_BACKGROUND_DECISION = `
  INSERT INTO decisions (decision_id, tenant_id, identity_id, kind, result, decided_at, request_id, position, grounds)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (decision_id) DO NOTHING`;

/** A decision that is gone, by a reversal or an erasure, has none. One that is found again goes on. */
const ADD_MATCH = `
  INSERT INTO matches (decision_id, match_index, tenant_id, identity_id, kind, list, entry_id, entry_digest, score, result,
    list_version, found_at, position, status)
  SELECT $1, $2::integer, $3, $4, $5, $6, $7, $8, $9::float8, $10, $11, $12::timestamptz, $13::bigint, $14
  FROM decisions WHERE decision_id = $1
  ON CONFLICT (decision_id, match_index) DO UPDATE SET ended_at = NULL`;

const END_MATCH = `
  UPDATE matches SET ended_at = $5
  WHERE tenant_id = $1 AND identity_id = $2 AND list = $3 AND entry_id = $4 AND ended_at IS NULL`;

const JUDGE_MATCH = `
  UPDATE matches SET status = $3, decided_at = $4, decided_by = $5, note = $6, judgement = NULL, proposed_at = NULL,
    proposed_by = $7, version = version + 1
  WHERE decision_id = $1 AND match_index = $2`;

const PROPOSE_JUDGEMENT = `
  UPDATE matches SET status = 'proposed', judgement = $3, proposed_at = $4, proposed_by = $5, note = $6, version = version + 1
  WHERE decision_id = $1 AND match_index = $2`;

const ASSIGN_MATCH =
  'UPDATE matches SET assigned_to = $3, assigned_member = $4, version = version + 1 WHERE decision_id = $1 AND match_index = $2';

const MARK_OVERDUE = 'UPDATE matches SET overdue = true WHERE decision_id = $1 AND match_index = $2';

const DROP_MATCHES_OF_DECISION = 'DELETE FROM matches WHERE decision_id = $1';

const DROP_MATCHES_OF_IDENTITY = 'DELETE FROM matches WHERE tenant_id = $1 AND identity_id = $2';

const DROP_DECISIONS_OF_IDENTITY = 'DELETE FROM decisions WHERE tenant_id = $1 AND identity_id = $2';

const SET_REVIEW = `
  INSERT INTO review_settings (tenant_id, date_policy, four_eyes, due_days) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant_id) DO UPDATE
  SET date_policy = excluded.date_policy, four_eyes = excluded.four_eyes, due_days = excluded.due_days`;

const KINDS: Readonly<Partial<Record<OperationCharged['data']['operation'], string>>> = {
  sanctions_check: 'sanctions',
  pep_check: 'pep',
  assess_risk: 'risk',
};

type Row = Readonly<Record<string, string>>;

/** A refused check has no record, and so no decision. */
const decided = ({ id, stream, revision, position, data, metadata }: Recorded<OperationCharged>): Row[] => {
  const kind = KINDS[data.operation];
  if (kind === undefined || data.record === undefined) return [];
  return [
    {
      decision_id: id,
      tenant_id: tenantOfStream(stream),
      kind,
      result: data.result,
      decided_at: metadata.time,
      request_id: metadata.$correlationId,
      revision: revision.toString(),
      position: position.toString(),
      record: JSON.stringify(data.record),
    },
  ];
};

/** Its answer was never disclosed. */
const reversed = ({ data }: Recorded<ChargeReversed>): Statement[] =>
  data.operation in KINDS ? [...dropDecision(data.chargeId), { text: DROP_ASSESSMENT, values: [data.chargeId] }] : [];

const dropDecision = (decisionId: string): Statement[] =>
  [DROP_MATCHES_OF_DECISION, DROP_DECISION].map((text) => ({ text, values: [decisionId] }));

const screened = ({ data, stream, position, metadata }: Recorded<IdentityScreened>): Statement => {
  const { decisionId, identityId, kind, status, ...grounds } = data;
  const { time, $correlationId } = metadata;
  const result = kind === 'pep' ? 'pep' : status;
  const of = [decisionId, tenantOfStream(stream), identityId, kind];
  const values = [...of, result, time, $correlationId, position.toString()];
  return { text: ADD_BACKGROUND_DECISION, values: [...values, JSON.stringify(grounds)] };
};

const addMatch = (
  event: Recorded<DecisionMatched | MatchFound>,
  match: DecidedMatch & { readonly dismissed?: boolean },
  of: { readonly identityId?: string; readonly entryDigest?: string } = {},
): Statement => {
  const { stream, position, metadata, data } = event;
  const { matchIndex, list, entryId, score, status, listVersion } = match;
  const entry = [list, entryId, of.entryDigest ?? null, score, status];
  const state = match.dismissed === true ? 'dismissed' : 'open';
  const place = [data.decisionId, matchIndex, tenantOfStream(stream), of.identityId ?? null, data.kind];
  const values = [...place, ...entry, listVersion, metadata.time, position.toString(), state];
  return { text: ADD_MATCH, values };
};

const endMatch = ({ stream, data, metadata }: Recorded<MatchFound | MatchCleared>): Statement => ({
  text: END_MATCH,
  values: [tenantOfStream(stream), data.identityId, data.list, data.entryId, metadata.time],
  searches: true,
});

const sealedText = (eventId: string, field: string, envelope: Envelope): string =>
  JSON.stringify({ eventId, field, envelope });

const judged = (event: Recorded<MatchDismissed | MatchConfirmed>): Statement[] => {
  const { id, stream, metadata } = event;
  const { decisionId, matchIndex, dismissalHash, proposedBy } = event.data;
  const tenantId = tenantOfStream(stream);
  const isDismissed = event.type === 'MatchDismissed.v1';
  const note = isDismissed ? sealedText(id, 'reason', event.data.reason) : sealedText(id, 'note', event.data.note);
  const who = actorOf(metadata.actor);
  return [
    isDismissed
      ? { text: ADD_DISMISSAL, values: [tenantId, dismissalHash, decisionId, matchIndex, metadata.time] }
      : { text: DROP_DISMISSALS, values: [tenantId, dismissalHash, decisionId, matchIndex], searches: true },
    {
      text: JUDGE_MATCH,
      values: [decisionId, matchIndex, isDismissed ? 'dismissed' : 'confirmed', metadata.time, who, note, proposedBy],
    },
  ];
};

const reopened = ({ stream, data }: Recorded<MatchReopened>): Statement[] => {
  const { decisionId, matchIndex, dismissalHash } = data;
  return [
    { text: DROP_DISMISSALS, values: [tenantOfStream(stream), dismissalHash, decisionId, matchIndex], searches: true },
    openAgain(data),
  ];
};

const openAgain = ({ decisionId, matchIndex }: (ProposalRejected | MatchReopened)['data']): Statement => ({
  text: JUDGE_MATCH,
  values: [decisionId, matchIndex, 'open', null, null, null, null],
});

const proposed = ({ id, data, metadata }: Recorded<MatchProposed>): Statement => {
  const { decisionId, matchIndex, judgement, reason } = data;
  const values = [decisionId, matchIndex, judgement, metadata.time, actorOf(metadata.actor)];
  return { text: PROPOSE_JUDGEMENT, values: [...values, sealedText(id, 'reason', reason)] };
};

const setReview = (tenantId: string, { datePolicy, fourEyes, dueDays }: ReviewSettingsChanged['data']): Statement => ({
  text: SET_REVIEW,
  values: [tenantId, datePolicy, fourEyes, dueDays],
});

const statementsOf = (event: ScreeningEvent): Statement[] => {
  const tenantId = tenantOfStream(event.stream);
  switch (event.type) {
    case 'ChargeReversed.v1':
      return reversed(event);
    case 'StreamPurged.v1': {
      const { stream, rowsBelow, firstKept } = event.data;
      if (!stream.startsWith(CREDITS_STREAM_PREFIX)) return [];
      const values = [tenantOfStream(stream), rowsBelow ?? firstKept];
      return [DROP_OLD_MATCHES, DROP_OLD_DECISIONS, DROP_OLD_ASSESSMENTS].map((text) => ({
        text,
        values,
        searches: true,
      }));
    }
    case 'DecisionErased.v1':
      return dropDecision(event.data.decisionId);
    case 'DecisionMatched.v1':
      return event.data.matches.map((match) => addMatch(event, match));
    case 'MatchDismissed.v1':
    case 'MatchConfirmed.v1':
      return judged(event);
    case 'MatchReopened.v1':
      return reopened(event);
    case 'MatchProposed.v1':
      return [proposed(event)];
    case 'MatchOverdue.v1':
      return [{ text: MARK_OVERDUE, values: [event.data.decisionId, event.data.matchIndex] }];
    case 'ProposalRejected.v1':
      return [openAgain(event.data)];
    case 'MatchAssigned.v1': {
      const { decisionId, matchIndex, to, memberId } = event.data;
      const text = to && sealedText(event.id, 'to', to);
      return [{ text: ASSIGN_MATCH, values: [decisionId, matchIndex, text, memberId] }];
    }
    case 'ReviewSettingsChanged.v1':
      return [setReview(tenantId, event.data)];
    case 'IdentityScreened.v1':
      return [screened(event)];
    case 'MatchFound.v1':
      return [endMatch(event), addMatch(event, event.data, event.data)];
    case 'MatchCleared.v1':
      return [endMatch(event)];
    case 'MatchesForgotten.v1':
      return [DROP_MATCHES_OF_IDENTITY, DROP_DECISIONS_OF_IDENTITY].map((text) => ({
        text,
        values: [tenantId, event.data.identityId],
        searches: true,
      }));
    case 'OperationCharged.v1':
    case 'AlertThresholdsFollowed.v1':
    case 'AutoRechargeConfigured.v1':
    case 'AutoRechargeFailed.v1':
    case 'AutoRechargeRequested.v1':
    case 'AutoRechargeSwitchedOff.v1':
    case 'CreditsRecharged.v1':
    case 'CreditsRestored.v1':
    case 'CreditsReturned.v1':
    case 'CreditsReversed.v1':
    case 'DebtPaid.v1':
    case 'LowBalanceReached.v1':
    case 'KeyCapReached.v1':
    case 'SuspensionFollowed.v1':
    case 'BalanceCarriedForward.v1':
    case 'CreditsAdjusted.v1':
    case 'CreditsDeducted.v1':
    case 'CreditsPurchased.v1':
    case 'DeductionRefunded.v1':
    case 'DeductionSettled.v1':
    default:
      return [];
  }
};

const project = (events: readonly StoredEvent[]): Statement[] => {
  const statements: Statement[] = [];
  let rows: Row[] = [];
  const flush = (): void => {
    const isRisk = (row: Row): boolean => row['kind'] === 'risk';
    for (const [text, added] of [
      [ADD_DECISION, rows.filter((row) => !isRisk(row))],
      [ADD_ASSESSMENT, rows.filter(isRisk)],
    ] as const) {
      if (added.length > 0) statements.push({ text, values: [rowsParameter(added)] });
    }
    rows = [];
  };
  for (const event of events as readonly ScreeningEvent[]) {
    if (event.type === 'OperationCharged.v1') rows.push(...decided(event));
    const own = statementsOf(event);
    // What acts on earlier rows comes after them.
    if (own.length > 0) flush();
    statements.push(...own);
  }
  flush();
  return statements;
};

/** Decisions, matches and what was judged of them, and charged risk assessments. Sealed data stays sealed. */
export const screening = defineProjection(import.meta.url, {
  name: 'screening',
  version: 10,
  tables: ['decisions', 'assessments', 'dismissals', 'matches', 'review_settings'],
  streamPrefixes: [
    CREDITS_STREAM_PREFIX,
    DECISION_STREAM_PREFIX,
    MATCH_STREAM_PREFIX,
    REVIEW_STREAM_PREFIX,
    RETENTION_STREAM_PREFIX,
  ],
  endsBatch: (event) => event.type === 'StreamPurged.v1',
  project,
});
