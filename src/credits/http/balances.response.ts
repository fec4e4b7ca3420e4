import { ApiProperty } from '@nestjs/swagger';

export class BalanceOfDay {
  @ApiProperty({ format: 'date', description: 'UTC day', example: '2026-11-22' })
  date!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 4_000,
    description: 'Credits at its end, of today those of now; null before the first credits',
  })
  balance!: number | null;

  @ApiProperty({ type: 'integer', example: 0, description: 'Credits purchased on it' })
  purchased!: number;
}

export class BalancesResponse {
  @ApiProperty({ type: [BalanceOfDay], description: 'Every day of the range, oldest first; the last is today' })
  balances!: BalanceOfDay[];
}
