import { DAY_MS, dayOf, daysUntil } from './days.js';

/** Whole days before today, the shorter first: what was used in it counts, and the longer only where nothing was. */
export const FORECAST_BASES = [7, 28] as const;
/** Beyond it, a pace says nothing. */
const MAX_DAYS = 3_650;

interface UsedOnDay {
  readonly day: string;
  readonly credits: number;
}

/** How long a balance lasts. Null throughout: nothing was used in 28 days. */
export interface Forecast {
  readonly credits_per_day: number | null;
  readonly basis_days: number | null;
  readonly lasts_days: number | null;
  /** UTC day. Null beyond ten years. */
  readonly empties_on: string | null;
}

const NONE: Forecast = { credits_per_day: null, basis_days: null, lasts_days: null, empties_on: null };

/** The first day of what a forecast looks at. */
export const firstDayOf = (today: Date): string => daysUntil(today, FORECAST_BASES[1] + 1)[0] ?? dayOf(today);

export const forecastOf = (rows: readonly UsedOnDay[], balance: number, today: Date): Forecast => {
  for (const days of FORECAST_BASES) {
    const counted = new Set(daysUntil(new Date(today.getTime() - DAY_MS), days));
    const used = rows.reduce((sum, { day, credits }) => sum + (counted.has(day) ? credits : 0), 0);
    if (used <= 0) continue;
    const lasts = Math.floor((balance * days) / used);
    return {
      credits_per_day: Math.round((10 * used) / days) / 10,
      basis_days: days,
      lasts_days: lasts,
      empties_on: lasts > MAX_DAYS ? null : dayOf(new Date(today.getTime() + lasts * DAY_MS)),
    };
  }
  return NONE;
};
