/** Audit log, security events and billing records are kept for 7 years (interface, "Other constants"). */
const YEARS_KEPT = 7;

/** Start of the UTC day that lies the period before `now`: what happened before it has been kept long enough. */
export const keptSince = (now: Date): Date => {
  const since = new Date(now);
  since.setUTCFullYear(since.getUTCFullYear() - YEARS_KEPT);
  since.setUTCHours(0, 0, 0, 0);
  return since;
};

export const utcDay = (now: Date): string => now.toISOString().slice(0, 10);

export const utcMonth = (now: Date): string => now.toISOString().slice(0, 7);
