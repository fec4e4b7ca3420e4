/**
 * Retention in years (interface, "Other constants"): after an identity's last activity, after the creation of a record, and
 * after a credential was revoked or expired.
 */
export const YEARS_KEPT = { identityData: 5, records: 7, endedCredentials: 1 } as const;

/** The same moment, years later; earlier if `years` is negative. */
export const yearsFrom = (moment: Date, years: number): Date => {
  const then = new Date(moment);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return then;
};
