import { tenantUuid } from '../kernel/ids.js';
import { type Queryable } from '../platform/postgres/database.js';

/** Which data was reachable, as an operator knows it. Nothing given: all accounts, all persons. */
export interface BreachFilter {
  readonly since: Date;
  readonly until: Date;
  readonly accounts: readonly string[];
  readonly identities: readonly string[];
}

export interface ReachablePerson {
  readonly tenantId: string;
  readonly identityId: string;
}

export interface AccessCount {
  readonly tenantId: string;
  readonly action: string;
  readonly result: string;
  readonly accesses: number;
}

const PERSONS_A_PAGE = 10_000;

/** Kinds of data that the service holds of each person. */
export const KINDS_OF_DATA = [
  'e-mail, telephone number, full name',
  'date of birth, document reference and further data, where the account sent them',
  'KYC status and tier',
  'accesses to the record, with time, account, address and program of the caller',
  'credentials issued, sanctions and PEP matches with their reviews, risk assessments, claims',
] as const;

/**
 * Persons whose record stood before the end, a page at a time, by ids. A record may be newer, but its key is as old as the first one.
 * Who was erased since has no record any more.
 */
export async function* reachablePersons(
  database: Queryable,
  { until, accounts, identities }: BreachFilter,
): AsyncGenerator<readonly ReachablePerson[]> {
  let last: ReachablePerson = { tenantId: '', identityId: '' };
  for (;;) {
    const rows: readonly ReachablePerson[] = await database.query<ReachablePerson>(
      `SELECT tenant_id AS "tenantId", identity_id AS "identityId" FROM identities i
       WHERE NOT EXISTS (SELECT FROM data_keys k WHERE k.tenant_id = i.tenant_id AND k.subject = i.identity_id AND k.created_at >= $1)
         AND (cardinality($2::text[]) = 0 OR tenant_id = ANY($2))
         AND (cardinality($3::text[]) = 0 OR identity_id = ANY($3)) AND (tenant_id, identity_id) > ($4, $5)
       ORDER BY tenant_id, identity_id LIMIT ${PERSONS_A_PAGE}`,
      [until, accounts, identities, last.tenantId, last.identityId],
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    last = end;
  }
}

/** What the audit log has of these accounts in the time. */
export const accessesWithin = async (
  database: Queryable,
  { since, until }: BreachFilter,
  tenantIds: readonly string[],
): Promise<readonly AccessCount[]> => {
  const tenants = new Map(tenantIds.map((tenantId) => [tenantUuid(tenantId), tenantId]));
  const rows = await database.query<Omit<AccessCount, 'tenantId'> & { readonly tenant: string }>(
    `SELECT tenant::text, action, result, count(*)::integer AS accesses FROM audit_log
     WHERE tenant = ANY($1::uuid[]) AND action IS NOT NULL AND occurred_at >= $2 AND occurred_at < $3
     GROUP BY tenant, action, result ORDER BY tenant, action, result`,
    [[...tenants.keys()], since, until],
  );
  return rows.map(({ tenant, ...row }) => ({ tenantId: tenants.get(tenant) ?? tenant, ...row }));
};
