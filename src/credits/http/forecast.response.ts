import { ApiProperty } from '@nestjs/swagger';
import { FORECAST_BASES, type Forecast } from '../domain/forecast.js';

/** Its members are null where nothing was used in 28 days. */
export class ForecastResponse implements Forecast {
  @ApiProperty({ type: 'number', nullable: true, example: 57.1, description: 'The pace: credits used a day' })
  credits_per_day!: number | null;

  @ApiProperty({
    enum: FORECAST_BASES,
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
