import { creditsStream } from '../../src/credits/domain/credits.events.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/platform/projections/projection.js';

export const SCREENING = 'screening';

export interface DecisionRow {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly kind: 'sanctions' | 'pep';
  readonly result: string;
  readonly decidedAt: Date;
  readonly requestId: string;
  /** The stream of its charge. */
  readonly stream: string;
  /** Opens at the place (tenant, stream, decision id, field `record`). */
  readonly record: Envelope;
}

type Stored = Omit<DecisionRow, 'record' | 'stream'> & { readonly record: string };

const COLUMNS = `tenant_id AS "tenantId", decision_id AS "decisionId", kind, result, decided_at AS "decidedAt",
  request_id AS "requestId", record`;

const toRow = ({ record, ...row }: Stored): DecisionRow => ({
  ...row,
  stream: creditsStream(row.tenantId),
  record: JSON.parse(record) as Envelope,
});

/** A decision of any tenant; the caller judges who may see it. */
export const decisionRow = async (readModels: ReadModels, decisionId: string): Promise<DecisionRow | undefined> => {
  const rows = await readModels.query<Stored>({
    name: 'screening-decision',
    text: `SELECT ${COLUMNS} FROM decisions WHERE decision_id = $1`,
    values: [decisionId],
  });
  return rows.map(toRow)[0];
};

/** The tenant's decisions by the revisions of their charges, after this one. */
export const decisionsAfter = async (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  after: string,
  limit: number,
): Promise<readonly (DecisionRow & { readonly revision: string })[]> => {
  const rows = await readModels.query<Stored & { readonly revision: string }>({
    name: 'screening-decisions-after',
    text: `SELECT ${COLUMNS}, revision FROM decisions WHERE tenant_id = $1 AND revision > $2 ORDER BY revision LIMIT $3`,
    values: [tenantId, after, limit],
  });
  return rows.map((row) => ({ ...toRow(row), revision: row.revision }));
};

/** Sanctions checks that were not clear, behind this log position. */
export const decisionsToAnnounce = async (
  readModels: ReadModels,
  after: string,
  limit: number,
): Promise<readonly (DecisionRow & { readonly position: string })[]> => {
  const rows = await readModels.query<Stored & { readonly position: string }>({
    name: 'screening-decisions-to-announce',
    text: `SELECT ${COLUMNS}, position FROM decisions
           WHERE position > $1 AND kind = 'sanctions' AND result <> 'clear' ORDER BY position LIMIT $2`,
    values: [after, limit],
  });
  return rows.map((row) => ({ ...toRow(row), position: row.position }));
};

export interface AssessmentRow {
  readonly tenantId: TenantId;
  readonly assessmentId: string;
  /** Of its charge, in the tenant's credits stream. */
  readonly revision: string;
  readonly position: string;
  readonly requestId: string;
  readonly stream: string;
  /** Opens at the place (tenant, stream, assessment id, field `record`). */
  readonly record: Envelope;
}

type StoredAssessment = Omit<AssessmentRow, 'record' | 'stream'> & { readonly record: string };

const ASSESSMENT_COLUMNS = `tenant_id AS "tenantId", assessment_id AS "assessmentId", revision, position,
  request_id AS "requestId", record`;

const toAssessment = (row: StoredAssessment): AssessmentRow => ({
  ...row,
  stream: creditsStream(row.tenantId),
  record: JSON.parse(row.record) as Envelope,
});

/** Charged risk assessments behind this log position. */
export const assessmentsAfter = async (
  readModels: ReadModels,
  after: string,
  limit: number,
): Promise<readonly AssessmentRow[]> => {
  const rows = await readModels.query<StoredAssessment>({
    name: 'risk-assessments',
    text: `SELECT ${ASSESSMENT_COLUMNS} FROM assessments WHERE position > $1 ORDER BY position LIMIT $2`,
    values: [after, limit],
  });
  return rows.map(toAssessment);
};

/** The tenant's charged risk assessments by the revisions of their charges, after this one. */
export const assessmentsOf = async (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  after: string,
  limit: number,
): Promise<readonly AssessmentRow[]> => {
  const rows = await readModels.query<StoredAssessment>({
    name: 'risk-assessments-of',
    text: `SELECT ${ASSESSMENT_COLUMNS} FROM assessments WHERE tenant_id = $1 AND revision > $2 ORDER BY revision LIMIT $3`,
    values: [tenantId, after, limit],
  });
  return rows.map(toAssessment);
};

/** Those of these hashes that the tenant has dismissed. */
export const dismissedAmong = async (
  readModels: ReadModels,
  tenantId: TenantId,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (hashes.length === 0) return new Set();
  const rows = await readModels.query<{ hash: string }>({
    name: 'screening-dismissals',
    text: `SELECT dismissal_hash AS hash FROM dismissals WHERE tenant_id = $1 AND dismissal_hash = ANY($2::text[])`,
    values: [tenantId, hashes],
  });
  return new Set(rows.map(({ hash }) => hash));
};

/** Those of these identities, by tenant and id, that are known to match an entry of this list. */
export const matchedAmong = async (
  readModels: ReadModels,
  list: string,
  identities: readonly { readonly tenantId: string; readonly identityId: string }[],
): Promise<ReadonlySet<string>> => {
  const rows = await readModels.query<{ identityId: string }>({
    name: 'screening-matched',
    text: `SELECT DISTINCT identity_id AS "identityId" FROM identity_matches
           WHERE list = $1 AND (tenant_id, identity_id) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    values: [list, identities.map(({ tenantId }) => tenantId), identities.map(({ identityId }) => identityId)],
  });
  return new Set(rows.map(({ identityId }) => identityId));
};
