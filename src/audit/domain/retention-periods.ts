/** Audit log, security events and billing records are kept for 7 years (interface, "Other constants"). */
const YEARS_KEPT = 7;

/** Ingestions are identity data, kept for 5 years (interface, "Other constants"). */
const YEARS_OF_INGESTIONS = 5;

const yearsBefore = (now: Date, years: number): Date => {
  const since = new Date(now);
  since.setUTCFullYear(since.getUTCFullYear() - years);
  since.setUTCHours(0, 0, 0, 0);
  return since;
};

/** Start of the UTC day that lies the period before `now`: what happened before it has been kept long enough. */
export const keptSince = (now: Date): Date => yearsBefore(now, YEARS_KEPT);

/** The same for ingestions. */
export const ingestionsKeptSince = (now: Date): Date => yearsBefore(now, YEARS_OF_INGESTIONS);

export const utcDay = (now: Date): string => now.toISOString().slice(0, 10);

export const utcMonth = (now: Date): string => now.toISOString().slice(0, 7);
