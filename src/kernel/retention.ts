/** Years that data is kept (interface, "Other constants"): after an identity's last activity, after a record was made. */
export const YEARS_KEPT = { identityData: 5, records: 7 } as const;

/** The same moment, years later (or earlier, where negative). */
export const yearsFrom = (moment: Date, years: number): Date => {
  const then = new Date(moment);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return then;
};
