import {
  type ChargeReversed,
  CREDITS_STREAM_PREFIX,
  type CreditEvent,
  type OperationCharged,
} from '../../src/credits/domain/credits.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { defineProjection, rowsParameter } from '../../src/platform/projections/define-projection.js';
import { type Statement } from '../../src/platform/projections/projection.js';
import { RETENTION_STREAM_PREFIX, type RetentionEvent } from '../../src/retention/domain/retention.events.js';
import { DECISION_STREAM_PREFIX, type DecisionEvent } from '../../src/screening/domain/decision.events.js';
import { MATCH_STREAM_PREFIX, type MatchEvent } from '../../src/screening/domain/identity-match.events.js';

type ScreeningEvent = Recorded<CreditEvent | RetentionEvent | DecisionEvent | MatchEvent>;

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

const DROP_OLD_DECISIONS = 'DELETE FROM decisions WHERE tenant_id = $1 AND revision < $2';

const ADD_DISMISSAL = `
  INSERT INTO dismissals (tenant_id, dismissal_hash, decision_id, dismissed_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant_id, dismissal_hash) DO NOTHING`;

const PUT_MATCH = `
  INSERT INTO identity_matches (tenant_id, identity_id, list, entry_id, score, status, list_version, found_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (tenant_id, identity_id, list, entry_id) DO UPDATE
    SET score = excluded.score, status = excluded.status, list_version = excluded.list_version, found_at = excluded.found_at`;

const DROP_MATCH = `
  DELETE FROM identity_matches WHERE tenant_id = $1 AND identity_id = $2 AND list = $3 AND entry_id = $4`;

const DROP_MATCHES = 'DELETE FROM identity_matches WHERE tenant_id = $1 AND identity_id = $2';

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
  data.operation in KINDS ? [DROP_DECISION, DROP_ASSESSMENT].map((text) => ({ text, values: [data.chargeId] })) : [];

const statementsOf = (event: ScreeningEvent): Statement[] => {
  const tenantId = tenantOfStream(event.stream);
  switch (event.type) {
    case 'ChargeReversed.v1':
      return reversed(event);
    case 'StreamPurged.v1': {
      const { stream, rowsBelow, firstKept } = event.data;
      if (!stream.startsWith(CREDITS_STREAM_PREFIX)) return [];
      const values = [tenantOfStream(stream), rowsBelow ?? firstKept];
      return [DROP_OLD_DECISIONS, DROP_OLD_ASSESSMENTS].map((text) => ({ text, values, searches: true }));
    }
    case 'DecisionErased.v1':
      return [{ text: DROP_DECISION, values: [event.data.decisionId] }];
    case 'MatchDismissed.v1': {
      const { dismissalHash, decisionId } = event.data;
      return [{ text: ADD_DISMISSAL, values: [tenantId, dismissalHash, decisionId, event.metadata.time] }];
    }
    case 'SanctionsMatchFound.v1': {
      const { identityId, list, entryId, score, status, listVersion } = event.data;
      const values = [tenantId, identityId, list, entryId, score, status, listVersion, event.metadata.time];
      return [{ text: PUT_MATCH, values }];
    }
    case 'SanctionsMatchCleared.v1':
      return [{ text: DROP_MATCH, values: [tenantId, event.data.identityId, event.data.list, event.data.entryId] }];
    case 'MatchesForgotten.v1':
      return [{ text: DROP_MATCHES, values: [tenantId, event.data.identityId] }];
    case 'OperationCharged.v1':
    case 'DecisionMatched.v1':
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
    case 'SuspensionFollowed.v1':
    case 'BalanceCarriedForward.v2':
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

/** Decisions of checks, charged risk assessments, dismissed matches, and the matches of each identity. Sealed data stays sealed. */
export const screening = defineProjection(import.meta.url, {
  name: 'screening',
  version: 1,
  tables: ['decisions', 'assessments', 'dismissals', 'identity_matches'],
  streamPrefixes: [CREDITS_STREAM_PREFIX, DECISION_STREAM_PREFIX, MATCH_STREAM_PREFIX, RETENTION_STREAM_PREFIX],
  endsBatch: (event) => event.type === 'StreamPurged.v1',
  project,
});
