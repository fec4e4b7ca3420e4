import { ApiProperty } from '@nestjs/swagger';
import { type AuditDay } from '../../../projections/ledger/audit-days.queries.js';
import { AUDIT_ACTIONS, AUDIT_RESULTS } from '../../kernel/contract.js';
import { refuse } from '../../kernel/rejection.js';
import { DateField } from '../../http/fields.js';

const DAY = 86_400_000;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

export class AuditSummaryQuery {
  @DateField({ optional: true, description: 'The first UTC day; default 29 days before the last' })
  start_date?: string;

  @DateField({ optional: true, description: 'The last UTC day, included; default today' })
  end_date?: string;
}

/** UTC days, YYYY-MM-DD, both inclusive. */
export interface SummarisedDays {
  readonly first: string;
  readonly last: string;
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);

/** Throws a Rejection where the range is empty or too long. */
export const summarisedDays = ({ start_date, end_date }: AuditSummaryQuery, now: Date): SummarisedDays => {
  const last = end_date ?? now.toISOString().slice(0, 10);
  const first = start_date ?? dayBefore(last, DEFAULT_DAYS - 1);
  const detail = `A day from start_date on, at most ${MAX_DAYS - 1} days later`;
  if (first > last || first < dayBefore(last, MAX_DAYS - 1))
    throw refuse('invalid_field', { field: 'end_date', detail });
  return { first, last };
};

class AuditDayAnswer {
  @ApiProperty({ format: 'date', example: '2026-11-21' }) date!: string;
  @ApiProperty({ enum: AUDIT_ACTIONS }) action!: string;
  @ApiProperty({ enum: AUDIT_RESULTS }) result!: string;
  @ApiProperty({ type: 'integer', example: 42 }) entries!: number;
}

export class AuditSummaryAnswer {
  @ApiProperty({ format: 'date', example: '2026-11-01' }) start_date!: string;
  @ApiProperty({ format: 'date', example: '2026-11-30' }) end_date!: string;
  @ApiProperty({ type: [AuditDayAnswer], description: 'In order of days; a day without entries is left out' })
  days!: AuditDayAnswer[];
}

export const toAuditSummary = ({ first, last }: SummarisedDays, days: readonly AuditDay[]): AuditSummaryAnswer => ({
  start_date: first,
  end_date: last,
  days: days.map(({ day, action, result, entries }) => ({ date: day, action, result, entries })),
});
