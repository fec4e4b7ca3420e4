import { ApiProperty } from '@nestjs/swagger';
import { type Usage } from '../../../projections/ledger/billing.queries.js';
import { isUnnamed } from '../../kernel/audit-actors.js';
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

export class UsageOfKey extends UsageTotals {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'HyBJKgiB',
    description: 'Null: what came with no key, such as access tokens',
  })
  key_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'What the key is for' })
  name!: string | null;
}

export class UsageResponse {
  @ApiProperty({ type: [UsageDay], description: 'Every day of the range, oldest first; the last is today' })
  usage!: UsageDay[];

  @ApiProperty({ type: UsageTotals })
  totals!: UsageTotals;

  @ApiProperty({ type: [UsageOfKey], required: false, description: 'With group_by=key; they add up to the totals' })
  by_key?: UsageOfKey[];
}

const sumOf = (rows: readonly Usage[]) => {
  const credits = Object.fromEntries(BILLABLE_OPERATIONS.map((operation) => [operation, 0])) as Record<
    BillableOperation,
    number
  >;
  for (const row of rows) credits[row.operation] += row.credits;
  return { ...credits, total_credits: rows.reduce((sum, row) => sum + row.credits, 0) };
};

export const toUsage = (days: readonly string[], rows: readonly Usage[]): UsageResponse => ({
  usage: days.map((date) => ({ date, ...sumOf(rows.filter(({ day }) => day === date)) })),
  totals: sumOf(rows),
});

const keyOf = ({ actor }: Usage): string | null => (isUnnamed(actor) ? null : actor);

/** The keys that spent the most first. */
export const usageByKey = (rows: readonly Usage[], names: ReadonlyMap<string, string>): UsageOfKey[] =>
  [...new Set(rows.map(keyOf))]
    .map((keyId) => ({
      key_id: keyId,
      name: (keyId === null ? undefined : names.get(keyId)) ?? null,
      ...sumOf(rows.filter((row) => keyOf(row) === keyId)),
    }))
    .sort((one, other) => other.total_credits - one.total_credits);
