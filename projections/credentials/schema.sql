-- One row a credential. Verification finds it by its id alone, whoever issued it.
CREATE TABLE credentials (
  credential_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  identity_id text NOT NULL,
  -- Keyed hash of e-mail and phone together: a verification's audit entry names it.
  identity_hash text NOT NULL,
  tier text NOT NULL,
  -- The data key of the sealed token: an erasure names it.
  data_key_id uuid NOT NULL,
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked boolean NOT NULL,
  suspended_by_issuer boolean NOT NULL,
  suspended_by_identity boolean NOT NULL,
  suspended_by_distrust boolean NOT NULL,
  changed_at timestamptz,
  -- The latest notice of its expiry: first or last.
  noticed text,
  list integer NOT NULL,
  index integer NOT NULL,
  -- Commit position of its issuance.
  position bigint NOT NULL
);

CREATE INDEX credentials_newest ON credentials (tenant_id, position DESC);
CREATE INDEX credentials_of_identity ON credentials (tenant_id, identity_id);
CREATE INDEX credentials_expiring ON credentials (expires_at, credential_id) WHERE NOT revoked AND noticed IS DISTINCT FROM 'last';
CREATE INDEX credentials_revoked ON credentials (list, index) WHERE revoked;
CREATE INDEX credentials_suspended ON credentials (list, index) WHERE suspended_by_issuer OR suspended_by_identity OR suspended_by_distrust;

-- One row a status list. Its version is the commit position of the last change of its bits, so that a copy can be kept.
CREATE TABLE status_lists (
  purpose text NOT NULL,
  list integer NOT NULL,
  version bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (purpose, list)
);

-- Credentials that may rest on an account's attestations.
CREATE INDEX credentials_of_person ON credentials (identity_hash) WHERE NOT revoked;

-- The copies that wallets hold. Verification finds a credential by a copy's place, since a copy has no other id.
CREATE TABLE credential_copies (
  list integer NOT NULL,
  index integer NOT NULL,
  credential_id uuid NOT NULL,
  PRIMARY KEY (list, index)
);

CREATE INDEX copies_of_credential ON credential_copies (credential_id);

-- One row an offer, under the id of its credential.
CREATE TABLE credential_offers (
  credential_id uuid PRIMARY KEY,
  tenant_id text NOT NULL,
  identity_id text NOT NULL,
  tier text NOT NULL,
  -- The data key of the sealed person: an erasure names it.
  data_key_id uuid NOT NULL,
  offered_at timestamptz NOT NULL,
  -- When it ends unless a wallet goes on.
  until timestamptz NOT NULL,
  status text NOT NULL,
  ended_because text,
  ended_at timestamptz,
  -- Commit position of the offer.
  position bigint NOT NULL
);

CREATE INDEX offers_newest ON credential_offers (tenant_id, position DESC);
CREATE INDEX offers_waiting ON credential_offers (until, credential_id) WHERE status IN ('offered', 'accepted');
CREATE INDEX offers_ended ON credential_offers (ended_at, position) WHERE status = 'ended';
