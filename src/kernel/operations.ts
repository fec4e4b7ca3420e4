import { type AuditAction } from './access.js';

interface Operation {
  readonly credits: number;
  /** What the audit log calls it. */
  readonly action: AuditAction;
}

/** Operations that a tenant pays for (interface, "Credit cost per operation"): one table, which pricing, checkout and charging read. */
export const OPERATIONS = {
  check_eligibility: { credits: 1, action: 'eligibility_check' },
  assess_risk: { credits: 5, action: 'risk_assessment' },
  issue_credential: { credits: 10, action: 'credential_issued' },
  verify_credential: { credits: 1, action: 'credential_verified' },
  sanctions_check: { credits: 2, action: 'sanctions_check' },
  pep_check: { credits: 2, action: 'pep_check' },
  report: { credits: 5, action: 'report_created' },
} as const satisfies Readonly<Record<string, Operation>>;

export type BillableOperation = keyof typeof OPERATIONS;
