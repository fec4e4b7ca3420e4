import { creditsStream } from '../../src/credits/domain/credits.events.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type FoundMatch, type Grounds } from '../../src/screening/domain/identity-match.events.js';
import { type ReviewSettingsChanged } from '../../src/screening/domain/review-settings.events.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export const SCREENING = 'screening';

/** Above every log position. */
const BEYOND = String(2n ** 63n - 1n);

export interface DecisionRow {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly kind: 'sanctions' | 'pep';
  readonly result: string;
  readonly decidedAt: Date;
  readonly requestId: string;
}

/** Of a check: the charge holds it. */
export interface CheckRow extends DecisionRow {
  readonly identityId: null;
  /** The stream of its charge. */
  readonly stream: string;
  /** Opens at the place (tenant, stream, decision id, field `record`). */
  readonly record: Envelope;
}

/** Of screening in the background, of one identity. Its matches are rows of their own. */
export interface ScreenedRow extends DecisionRow {
  readonly identityId: string;
  readonly grounds: Grounds;
}

type Stored = DecisionRow & {
  readonly identityId: string | null;
  readonly record: string | null;
  readonly grounds: string | null;
};

const COLUMNS = `tenant_id AS "tenantId", decision_id AS "decisionId", identity_id AS "identityId", kind, result,
  decided_at AS "decidedAt", request_id AS "requestId", record, grounds`;

const toRow = ({ record, grounds, identityId, ...row }: Stored): CheckRow | ScreenedRow =>
  identityId === null
    ? { ...row, identityId, stream: creditsStream(row.tenantId), record: JSON.parse(record ?? '') as Envelope }
    : { ...row, identityId, grounds: JSON.parse(grounds ?? '') as Grounds };

const toCheck = (row: Stored): CheckRow[] => {
  const decision = toRow(row);
  return decision.identityId === null ? [decision] : [];
};

/** A decision of any tenant; the caller judges who may see it. */
export const decisionRow = async (
  readModels: ReadModels,
  decisionId: string,
): Promise<CheckRow | ScreenedRow | undefined> => {
  const rows = await readModels.query<Stored>({
    name: 'screening-decision',
    text: `SELECT ${COLUMNS} FROM decisions WHERE decision_id = $1`,
    values: [decisionId],
  });
  return rows.map(toRow)[0];
};

/** Exclusive: the last row of the page before. */
export interface ScreeningCursor {
  readonly position: string;
  /** Place of a match in its decision; 0 of a decision. */
  readonly index: number;
}

interface Wanted {
  readonly tenantId: TenantId;
  readonly since?: Date | undefined;
  readonly identityId?: string | undefined;
  readonly before?: ScreeningCursor | undefined;
  readonly limit: number;
}

/** The tenant's decisions, newest first. */
export const decisionsBefore = async (
  readModels: ReadModels,
  { tenantId, since, identityId, before, limit }: Wanted,
): Promise<readonly ((CheckRow | ScreenedRow) & { readonly position: string })[]> => {
  const isAll = identityId === undefined;
  const rows = await readModels.query<Stored & { readonly position: string }>({
    name: isAll ? 'screening-decisions-before' : 'screening-decisions-of-identity-before',
    text: `SELECT ${COLUMNS}, position FROM decisions
           WHERE tenant_id = $1 AND position < $2 AND decided_at >= $3 ${isAll ? '' : 'AND identity_id = $5'}
           ORDER BY position DESC LIMIT $4`,
    values: [tenantId, before?.position ?? BEYOND, since ?? new Date(0), limit, ...(isAll ? [] : [identityId])],
  });
  return rows.map((row) => ({ ...toRow(row), position: row.position }));
};

/** What a tenant judged of a match. */
export const MATCH_STATES = ['open', 'proposed', 'confirmed', 'dismissed'] as const;
export type MatchState = (typeof MATCH_STATES)[number];

/** Opens at the place (tenant, decisionStream, eventId, field). */
export interface SealedText {
  readonly eventId: string;
  readonly field: string;
  readonly envelope: Envelope;
}

export interface MatchRow {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly index: number;
  /** Null of a check, which names no identity. */
  readonly identityId: string | null;
  readonly kind: DecisionRow['kind'];
  readonly list: string;
  readonly entryId: string;
  /** Null of a check: the decision holds it. */
  readonly entryDigest: string | null;
  readonly score: number;
  readonly result: FoundMatch['status'];
  readonly listVersion: string;
  readonly foundAt: Date;
  readonly status: MatchState;
  /** Since when a later screening no longer finds it. */
  readonly endedAt: Date | null;
  /** What is proposed; null where nothing waits for a second person. */
  readonly judgement: 'confirmed' | 'dismissed' | null;
  readonly proposedAt: Date | null;
  /** Of what waits, or of the judgement that was approved. */
  readonly proposedBy: string | null;
  /** Null where the account lets matches wait. */
  readonly dueAt: Date | null;
  readonly decidedAt: Date | null;
  /** The id of an API key, or an unnamed actor (see kernel/audit-actors.ts). */
  readonly decidedBy: string | null;
  readonly note: SealedText | null;
  readonly assignedTo: SealedText | null;
  readonly assignedMember: string | null;
  /** 1 as found; one more with each change of the review. */
  readonly version: number;
  readonly position: string;
}

const MATCH_COLUMNS = `tenant_id AS "tenantId", decision_id AS "decisionId", match_index AS index,
  identity_id AS "identityId", kind, list, entry_id AS "entryId", entry_digest AS "entryDigest", score, result,
  list_version AS "listVersion", found_at AS "foundAt", status, ended_at AS "endedAt", decided_at AS "decidedAt",
  judgement, proposed_at AS "proposedAt", proposed_by AS "proposedBy", decided_by AS "decidedBy", (SELECT found_at + make_interval(days => due_days) FROM review_settings
    WHERE review_settings.tenant_id = matches.tenant_id) AS "dueAt", note::json AS note, assigned_to::json AS "assignedTo", assigned_member AS "assignedMember", version, position`;

/** The tenant's matches, newest first. Open ones only as long as they are found. */
export const matchesBefore = (
  readModels: ReadModels,
  wanted: Wanted & {
    readonly status?: MatchState | undefined;
    readonly kind?: DecisionRow['kind'] | undefined;
    readonly list?: string | undefined;
    readonly minScore?: number | undefined;
    readonly assignedTo?: string | undefined;
    /** Only those that wait for a decision, and were due before. */
    readonly dueBefore?: Date | undefined;
  },
): Promise<readonly MatchRow[]> => {
  const { tenantId, since, identityId, before, limit, status, kind, list, minScore, assignedTo, dueBefore } = wanted;
  const isAll = identityId === undefined;
  return readModels.query<MatchRow>({
    name: isAll ? 'screening-matches-before' : 'screening-matches-of-identity-before',
    text: `SELECT ${MATCH_COLUMNS} FROM matches
           WHERE tenant_id = $1 AND (position, match_index) < ($2, $3) AND found_at >= $4
             AND ($5::text IS NULL OR (status = $5 AND (status NOT IN ('open', 'proposed') OR ended_at IS NULL)))
             AND ($6::text IS NULL OR list = $6) AND ($7::text IS NULL OR kind = $7) AND score >= $8
             AND ($9::timestamptz IS NULL OR (status IN ('open', 'proposed') AND ended_at IS NULL AND found_at < (
               SELECT $9::timestamptz - make_interval(days => due_days) FROM review_settings WHERE tenant_id = $1)))
             AND ($10::text IS NULL OR assigned_member = $10) ${isAll ? '' : 'AND identity_id = $12'}
           ORDER BY position DESC, match_index DESC LIMIT $11`,
    values: [
      tenantId,
      before?.position ?? BEYOND,
      before?.index ?? 0,
      since ?? new Date(0),
      status ?? null,
      list ?? null,
      kind ?? null,
      minScore ?? 0,
      dueBefore ?? null,
      assignedTo ?? null,
      limit,
      ...(isAll ? [] : [identityId]),
    ],
  });
};

/** Matches of the tenant's identities with these entries under these versions of a list, newest first. */
export const hitsOf = (
  readModels: ReadModels,
  wanted: {
    readonly tenantId: TenantId;
    readonly list: string;
    readonly versions: readonly string[];
    readonly entryIds: readonly string[];
  },
  limit: number,
): Promise<readonly MatchRow[]> =>
  readModels.query<MatchRow>({
    name: 'screening-hits-of-versions',
    text: `SELECT ${MATCH_COLUMNS} FROM matches
           WHERE tenant_id = $1 AND list = $2 AND identity_id IS NOT NULL AND list_version = ANY($3) AND entry_id = ANY($4)
           ORDER BY position DESC, match_index DESC LIMIT $5`,
    values: [wanted.tenantId, wanted.list, wanted.versions, wanted.entryIds, limit],
  });

export interface MatchCount {
  /** Null: no member is to judge them. */
  readonly memberId: string | null;
  readonly status: MatchState;
  readonly matches: number;
  readonly overdue: number;
}

/** The tenant's matches by member and status. Open and proposed ones only as long as they are found. */
export const matchCounts = (readModels: ReadModels, tenantId: TenantId, now: Date): Promise<readonly MatchCount[]> =>
  readModels.query<MatchCount>({
    name: 'screening-match-counts',
    text: `SELECT assigned_member AS "memberId", status, count(*)::int AS matches,
             (count(*) FILTER (WHERE status IN ('open', 'proposed') AND found_at < (
               SELECT $2::timestamptz - make_interval(days => due_days) FROM review_settings WHERE tenant_id = $1)))::int AS overdue
           FROM matches WHERE tenant_id = $1 AND (status NOT IN ('open', 'proposed') OR ended_at IS NULL)
           GROUP BY assigned_member, status ORDER BY assigned_member NULLS FIRST, status`,
    values: [tenantId, now],
  });

/** Matches of any tenant that wait longer than theirs lets one wait, and are not overdue yet, the oldest first. */
export const overdueMatches = (readModels: ReadModels, now: Date, limit: number): Promise<readonly MatchRow[]> =>
  readModels.query<MatchRow>({
    name: 'screening-matches-overdue',
    text: `SELECT ${MATCH_COLUMNS} FROM matches
           WHERE tenant_id IN (SELECT tenant_id FROM review_settings WHERE due_days IS NOT NULL)
             AND status IN ('open', 'proposed') AND ended_at IS NULL AND NOT overdue AND found_at < (
             SELECT $1::timestamptz - make_interval(days => due_days) FROM review_settings
             WHERE review_settings.tenant_id = matches.tenant_id)
           ORDER BY found_at LIMIT $2`,
    values: [now, limit],
  });

/** The matches of one decision of any tenant, in their order. */
export const matchesOf = (readModels: ReadModels, decisionId: string): Promise<readonly MatchRow[]> =>
  readModels.query<MatchRow>({
    name: 'screening-matches-of',
    text: `SELECT ${MATCH_COLUMNS} FROM matches WHERE decision_id = $1 ORDER BY match_index`,
    values: [decisionId],
  });

/** The matches of these decisions, in the order of each. */
export const matchesOfDecisions = (
  readModels: Pick<ReadModels, 'query'>,
  decisionIds: readonly string[],
): Promise<readonly MatchRow[]> =>
  readModels.query<MatchRow>({
    name: 'screening-matches-of-decisions',
    text: `SELECT ${MATCH_COLUMNS} FROM matches WHERE decision_id = ANY ($1::uuid[]) ORDER BY decision_id, match_index`,
    values: [decisionIds],
  });

/** The tenant's matches of its identities, or of one, in the order of the log. */
export const matchesOfIdentities = (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  identityId: string | undefined,
  after: ScreeningCursor,
  limit: number,
): Promise<readonly MatchRow[]> =>
  readModels.query<MatchRow>({
    name: 'screening-matches-of-identities',
    text: `SELECT ${MATCH_COLUMNS} FROM matches
           WHERE tenant_id = $1 AND (position, match_index) > ($2, $3) AND ($4::text IS NULL OR identity_id = $4)
           ORDER BY position, match_index LIMIT $5`,
    values: [tenantId, after.position, after.index, identityId ?? null, limit],
  });

/** The tenant's decisions by the revisions of their charges, after this one. */
export const decisionsAfter = async (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
  after: string,
  limit: number,
): Promise<readonly (CheckRow & { readonly revision: string })[]> => {
  const rows = await readModels.query<Stored & { readonly revision: string }>({
    name: 'screening-decisions-after',
    text: `SELECT ${COLUMNS}, revision FROM decisions WHERE tenant_id = $1 AND revision > $2 ORDER BY revision LIMIT $3`,
    values: [tenantId, after, limit],
  });
  return rows.flatMap((row) => toCheck(row).map((check) => ({ ...check, revision: row.revision })));
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

/** A charged risk assessment of any tenant. */
export const assessmentRow = async (
  readModels: ReadModels,
  assessmentId: string,
): Promise<AssessmentRow | undefined> => {
  const rows = await readModels.query<StoredAssessment>({
    name: 'risk-assessment',
    text: `SELECT ${ASSESSMENT_COLUMNS} FROM assessments WHERE assessment_id = $1`,
    values: [assessmentId],
  });
  return rows.map(toAssessment)[0];
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
    text: `SELECT DISTINCT dismissal_hash AS hash FROM dismissals WHERE tenant_id = $1 AND dismissal_hash = ANY($2::text[])`,
    values: [tenantId, hashes],
  });
  return new Set(rows.map(({ hash }) => hash));
};

type DatePolicy = ReviewSettingsChanged['data']['datePolicy'];

/** The date policies of these tenants, as far as they have set one. */
export const datePolicies = async (
  readModels: ReadModels,
  tenantIds: readonly TenantId[],
): Promise<ReadonlyMap<TenantId, DatePolicy>> => {
  const rows = await readModels.query<{ tenantId: TenantId; datePolicy: DatePolicy }>({
    name: 'screening-date-policies',
    text: `SELECT tenant_id AS "tenantId", date_policy AS "datePolicy" FROM review_settings WHERE tenant_id = ANY($1::text[])`,
    values: [tenantIds],
  });
  return new Map(rows.map(({ tenantId, datePolicy }) => [tenantId, datePolicy]));
};

/** Those of these identities, by tenant and id, that are known to match an entry of this list. */
export const matchedAmong = async (
  readModels: ReadModels,
  list: string,
  identities: readonly { readonly tenantId: string; readonly identityId: string }[],
): Promise<ReadonlySet<string>> => {
  const rows = await readModels.query<{ identityId: string }>({
    name: 'screening-matched',
    text: `SELECT DISTINCT identity_id AS "identityId" FROM matches
           WHERE list = $1 AND ended_at IS NULL AND (tenant_id, identity_id) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    values: [list, identities.map(({ tenantId }) => tenantId), identities.map(({ identityId }) => identityId)],
  });
  return new Set(rows.map(({ identityId }) => identityId));
};
