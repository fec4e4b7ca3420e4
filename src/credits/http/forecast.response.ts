import { ApiProperty } from '@nestjs/swagger';
import { type Usage } from '../../../projections/ledger/billing.queries.js';
import { dayOf, daysUntil } from './usage.response.js';

/** Whole days before today, the shorter first: what was used in it counts, and the longer only where nothing was. */
const BASES = [7, 28] as const;
const DAY_MS = 86_400_000;
/** Beyond it, a pace says nothing. */
const MAX_DAYS = 3_650;

/** Its members are null where nothing was used in 28 days. */
export class ForecastResponse {
  @ApiProperty({ type: 'number', nullable: true, example: 57.1, description: 'The pace: credits used a day' })
  credits_per_day!: number | null;

  @ApiProperty({
    enum: BASES,
    type: 'integer',
    nullable: true,
    description: 'Whole UTC days before today that it is the mean of',
  })
  basis_days!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 12,
    description: 'Whole days that the balance lasts at this pace',
  })
  lasts_days!: number | null;

  @ApiProperty({
    format: 'date',
    type: String,
    nullable: true,
    example: '2026-12-10',
    description: 'UTC day; null beyond ten years',
  })
  empties_on!: string | null;
}

const NONE: ForecastResponse = { credits_per_day: null, basis_days: null, lasts_days: null, empties_on: null };

/** The first day of what a forecast looks at. */
export const firstDayOf = (today: Date): string => daysUntil(today, BASES[1] + 1)[0] ?? dayOf(today);

export const forecastOf = (rows: readonly Usage[], balance: number, today: Date): ForecastResponse => {
  for (const days of BASES) {
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
