import { CLOCK_SLACK_MS } from './clock.js';

/**
 * Retention in years (docs/privacy.md, Retention): after an identity's last activity, after the creation of a record, and
 * after a credential was revoked or expired.
 */
export const YEARS_KEPT = { identityData: 5, records: 7, endedCredentials: 1 } as const;

/** The same moment, years later; earlier if `years` is negative. */
export const yearsFrom = (moment: Date, years: number): Date => {
  const then = new Date(moment);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return then;
};

/** A balance carried before this time has no events below it that must be kept. The slack covers differences between clocks. */
export const carriedSince = (keptSince: Date): Date => new Date(keptSince.getTime() - CLOCK_SLACK_MS);

export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 'YYYY-MM-DD'.length);

export const utcMonth = (moment: Date): string => moment.toISOString().slice(0, 'YYYY-MM'.length);
