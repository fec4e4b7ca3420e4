-- Decisions of charged checks, and of screening in the background. Of a check "record" is the charge's envelope as JSON,
-- sealed at the place (tenant, credits-<tenant>, decision_id, field "record"). It holds an envelope of its own, under
-- the decision's key. Of screening in the background "grounds" is JSON: versions, engineVersion, thresholds,
-- datePolicy.
CREATE TABLE decisions (
  decision_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  identity_id text,
  kind text NOT NULL,
  result text NOT NULL,
  decided_at timestamptz NOT NULL,
  request_id text NOT NULL,
  revision bigint,
  position bigint NOT NULL,
  record text,
  grounds text
);

CREATE INDEX decisions_by_revision ON decisions (tenant_id, revision);
CREATE INDEX decisions_by_position ON decisions (tenant_id, position);
CREATE INDEX decisions_by_identity ON decisions (tenant_id, identity_id) WHERE identity_id IS NOT NULL;

-- Charged risk assessments, sealed likewise. The record holds the identity id, the score and the level.
CREATE TABLE assessments (
  assessment_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  revision bigint NOT NULL,
  position bigint NOT NULL,
  request_id text NOT NULL,
  record text NOT NULL
);

CREATE INDEX assessments_by_revision ON assessments (tenant_id, revision);

CREATE TABLE dismissals (
  tenant_id text NOT NULL,
  dismissal_hash text NOT NULL,
  decision_id uuid NOT NULL,
  match_index integer NOT NULL,
  dismissed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, dismissal_hash, decision_id, match_index)
);
CREATE INDEX dismissals_of_match ON dismissals (decision_id, match_index);

-- How accounts are screened for, where they have said so.
CREATE TABLE review_settings (
  tenant_id text PRIMARY KEY,
  date_policy text NOT NULL,
  four_eyes boolean NOT NULL,
  due_days integer
);

-- Matches with lists: of checks that were not clear, and of identities by screening in the background.
-- "ended_at": a later screening no longer finds the entry, or finds it changed. "note" and "assigned_to" are JSON, sealed
-- at the place (tenant, decision-<tenant>_<decision>, eventId, field): {eventId, field, envelope}. "version": 1 as found, one
-- more with each change of the review.
CREATE TABLE matches (
  decision_id uuid NOT NULL,
  match_index integer NOT NULL,
  tenant_id text NOT NULL,
  identity_id text,
  kind text NOT NULL,
  list text NOT NULL,
  entry_id text NOT NULL,
  entry_digest text,
  score double precision NOT NULL,
  result text NOT NULL,
  list_version text NOT NULL,
  found_at timestamptz NOT NULL,
  position bigint NOT NULL,
  status text NOT NULL,
  ended_at timestamptz,
  judgement text,
  proposed_at timestamptz,
  proposed_by text,
  decided_at timestamptz,
  decided_by text,
  note text,
  assigned_to text,
  assigned_member text,
  version integer NOT NULL DEFAULT 1,
  overdue boolean NOT NULL DEFAULT false,
  PRIMARY KEY (decision_id, match_index)
);

CREATE INDEX matches_by_position ON matches (tenant_id, position, match_index);
-- What may become overdue.
CREATE INDEX matches_waiting ON matches (tenant_id, found_at)
  WHERE status IN ('open', 'proposed') AND ended_at IS NULL AND NOT overdue;
CREATE INDEX matches_by_identity ON matches (tenant_id, identity_id) WHERE identity_id IS NOT NULL;
