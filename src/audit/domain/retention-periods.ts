import { YEARS_KEPT, yearsFrom } from '../../kernel/retention.js';

const startOfDay = (moment: Date): Date => new Date(new Date(moment).setUTCHours(0, 0, 0, 0));

/**
 * Start of the UTC day that lies the period before `now`: what happened before it has been kept long enough. For the audit
 * log, security events and billing records.
 */
export const keptSince = (now: Date): Date => startOfDay(yearsFrom(now, -YEARS_KEPT.records));

/** The same for ingestions, which are identity data. */
export const ingestionsKeptSince = (now: Date): Date => startOfDay(yearsFrom(now, -YEARS_KEPT.identityData));

export const utcDay = (now: Date): string => now.toISOString().slice(0, 10);

export const utcMonth = (now: Date): string => now.toISOString().slice(0, 7);
