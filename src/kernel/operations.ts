import { type AuditAction } from './access.js';

interface Operation {
  readonly credits: number;
  /** The action type in the audit log. */
  readonly action: AuditAction;
}

/**
 * Operations that a tenant pays for (docs/contract.md, Credits). Pricing, checkout and charging all read this one
 * table.
 */
export const OPERATIONS = {
  check_eligibility: { credits: 1, action: 'eligibility_check' },
  assess_risk: { credits: 5, action: 'risk_assessment' },
  issue_credential: { credits: 10, action: 'credential_issued' },
  verify_credential: { credits: 1, action: 'credential_verified' },
  sanctions_check: { credits: 2, action: 'sanctions_check' },
  pep_check: { credits: 2, action: 'pep_check' },
  request_claim: { credits: 1, action: 'claim_requested' },
  report: { credits: 5, action: 'report_created' },
} as const satisfies Readonly<Record<string, Operation>>;

export type BillableOperation = keyof typeof OPERATIONS;
