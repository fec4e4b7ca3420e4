import { type Scope, SCOPES } from '../../kernel/scopes.js';

export const MEMBER_ROLES = ['owner', 'officer', 'developer', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export interface Rights {
  /** Scopes of which the member may do everything. */
  readonly scopes: readonly Scope[];
  /** Further scopes of which the member may only read. */
  readonly reads: readonly Scope[];
}

/** What each role may do. docs/contract.md has the table. */
export const RIGHTS: Readonly<Record<MemberRole, Rights>> = {
  owner: { scopes: SCOPES, reads: [] },
  officer: { scopes: ['eligibility', 'credentials', 'compliance', 'data'], reads: ['billing', 'members'] },
  developer: {
    scopes: ['ingest', 'eligibility', 'credentials', 'webhooks', 'keys'],
    reads: ['billing', 'members'],
  },
  viewer: { scopes: [], reads: SCOPES },
};
