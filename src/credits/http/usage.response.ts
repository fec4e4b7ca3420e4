import { ApiProperty } from '@nestjs/swagger';
import { type Usage } from '../../../projections/ledger/billing.queries.js';
import { BILLABLE_OPERATIONS, type BillableOperation } from '../../kernel/contract.js';

/** Has a member for each operation that is charged, with its credits. */
export class UsageTotals {
  @ApiProperty({ type: 'integer', description: 'Credits of all operations', example: 12 })
  total_credits!: number;
}

for (const operation of BILLABLE_OPERATIONS) {
  ApiProperty({ type: 'integer', description: `Credits of ${operation}`, example: 0 })(
    UsageTotals.prototype,
    operation,
  );
}

export class UsageDay extends UsageTotals {
  @ApiProperty({ format: 'date', description: 'UTC day', example: '2026-11-22' })
  date!: string;
}

export class UsageResponse {
  @ApiProperty({ type: [UsageDay], description: 'Every day of the range, oldest first; the last is today' })
  usage!: UsageDay[];

  @ApiProperty({ type: UsageTotals })
  totals!: UsageTotals;
}

const DAY_MS = 86_400_000;

const sumOf = (rows: readonly Usage[]) => {
  const credits = Object.fromEntries(BILLABLE_OPERATIONS.map((operation) => [operation, 0])) as Record<
    BillableOperation,
    number
  >;
  for (const row of rows) credits[row.operation] += row.credits;
  return { ...credits, total_credits: rows.reduce((sum, row) => sum + row.credits, 0) };
};

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The days of a range that ends with `today`, oldest first. */
export const daysUntil = (today: Date, days: number): string[] =>
  Array.from({ length: days }, (_, index) => dayOf(new Date(today.getTime() - (days - 1 - index) * DAY_MS)));

export const toUsage = (days: readonly string[], rows: readonly Usage[]): UsageResponse => ({
  usage: days.map((date) => ({ date, ...sumOf(rows.filter(({ day }) => day === date)) })),
  totals: sumOf(rows),
});
