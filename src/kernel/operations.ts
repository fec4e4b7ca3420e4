/** Operations that a tenant pays for, with their cost in credits (interface, "Credit cost per operation"). */
export const OPERATION_COSTS = {
  check_eligibility: 1,
  assess_risk: 5,
  issue_credential: 10,
  verify_credential: 1,
  sanctions_check: 2,
  pep_check: 2,
  report: 5,
} as const;

export type BillableOperation = keyof typeof OPERATION_COSTS;
