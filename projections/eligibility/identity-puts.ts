import { type Cell } from '../../src/log/project/copy.js';
import { rowsParameter } from '../../src/log/project/define-projection.js';
import { type Statement } from '../../src/log/project/projection.js';
import { type IdentityPut, type IdentityRow } from './identity-changes.js';

const PUT_ATTESTATIONS = `
  INSERT INTO attestations (identity_hash, tenant_id, identity_id, status, tier, kyc_expires_at, last_verified_at, deleted)
  SELECT identity_hash, tenant_id, identity_id, status, tier, kyc_expires_at, last_verified_at, deleted_at IS NOT NULL
  FROM json_to_recordset($1::json) AS r(identity_hash text, tenant_id text, identity_id text, status text, tier text,
    kyc_expires_at timestamptz, last_verified_at timestamptz, deleted_at timestamptz)
  ON CONFLICT (identity_hash, tenant_id) DO UPDATE SET status = excluded.status, tier = excluded.tier,
    kyc_expires_at = excluded.kyc_expires_at, last_verified_at = excluded.last_verified_at, deleted = excluded.deleted`;

const PUT_IDENTITIES = `
  INSERT INTO identities (tenant_id, identity_id, identity_hash, ingestion_id, status, tier, kyc_expires_at, last_verified_at,
    received_at, deleted_at, purge_at, stream, event_id, personal)
  SELECT tenant_id, identity_id, identity_hash, ingestion_id, status, tier, kyc_expires_at, last_verified_at,
    received_at, deleted_at, purge_at, stream, event_id, personal
  FROM json_to_recordset($1::json) AS r(tenant_id text, identity_id text, identity_hash text, ingestion_id uuid, status text,
    tier text, kyc_expires_at timestamptz, last_verified_at timestamptz, received_at timestamptz, deleted_at timestamptz,
    purge_at timestamptz, stream text, event_id uuid, personal jsonb)
  ON CONFLICT (tenant_id, identity_id) DO UPDATE SET identity_hash = excluded.identity_hash,
    ingestion_id = excluded.ingestion_id, status = excluded.status, tier = excluded.tier,
    kyc_expires_at = excluded.kyc_expires_at, last_verified_at = excluded.last_verified_at, received_at = excluded.received_at,
    deleted_at = excluded.deleted_at, purge_at = excluded.purge_at, stream = excluded.stream, event_id = excluded.event_id,
    personal = excluded.personal`;

const ATTESTATION_COLUMNS = [
  'identity_hash',
  'tenant_id',
  'identity_id',
  'status',
  'tier',
  'kyc_expires_at',
  'last_verified_at',
] as const;

const IDENTITY_COLUMNS = [
  'tenant_id',
  'identity_id',
  'identity_hash',
  'ingestion_id',
  'status',
  'tier',
  'kyc_expires_at',
  'last_verified_at',
  'received_at',
  'deleted_at',
  'purge_at',
  'stream',
  'event_id',
] as const;

interface Putting {
  readonly text: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly toCells: (row: IdentityRow) => Cell[];
}

/** A rebuild writes new rows by COPY and the others by the usual statement. */
const putting =
  ({ text, table, columns, toCells }: Putting) =>
  (puts: readonly IdentityPut[]): Statement[] => {
    const valuesOf = (some: readonly IdentityPut[]): unknown[] => [rowsParameter(some.map(({ row }) => row))];
    const rest = (): Statement[] => {
      const others = puts.filter(({ isNew }) => !isNew);
      return others.length === 0 ? [] : [{ text, values: valuesOf(others) }];
    };
    const rows = (): Cell[][] => puts.filter(({ isNew }) => isNew).map(({ row }) => toCells(row));
    const statement = {
      text,
      get values() {
        return valuesOf(puts);
      },
      copy: { table, columns, rows, rest },
    };
    return puts.length === 0 ? [] : [statement];
  };

export const putAttestations = putting({
  text: PUT_ATTESTATIONS,
  table: 'attestations',
  columns: [...ATTESTATION_COLUMNS, 'deleted'],
  toCells: (row) => [...ATTESTATION_COLUMNS.map((column) => row[column]), row.deleted_at !== null],
});

export const putIdentities = putting({
  text: PUT_IDENTITIES,
  table: 'identities',
  columns: [...IDENTITY_COLUMNS, 'personal'],
  toCells: (row) => [...IDENTITY_COLUMNS.map((column) => row[column]), JSON.stringify(row.personal)],
});
