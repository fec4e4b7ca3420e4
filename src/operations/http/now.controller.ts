import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { RequiresRole } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { Now, type PartNow } from '../now/now.js';

class PartAnswer {
  @ApiProperty({ example: 'read_model_ledger' }) name!: string;
  @ApiProperty({ enum: ['up', 'degraded', 'down'] }) status!: string;
  @ApiProperty({ format: 'date-time', description: 'When this status was first noted, to the minute' }) since!: string;
  @ApiProperty({ example: 'As new as the log' }) sentence!: string;
  @ApiProperty({ type: Number, nullable: true, example: 0 }) value!: number | null;
  @ApiProperty({ example: 's', description: 'Of the value' }) unit!: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'number', nullable: true },
    minItems: 60,
    maxItems: 60,
    example: Array.from({ length: 60 }, () => 0),
    description: 'Its value in each of the last 60 minutes, the oldest first; null where none was noted',
  })
  last_hour!: (number | null)[];
  @ApiProperty({ type: [String], example: ['answers that read it'], description: 'What suffers with it' })
  depends!: string[];
  @ApiProperty({ type: String, nullable: true, example: null, description: 'What to do; null while it is up' })
  action!: string | null;
}

export class NowAnswer {
  @ApiProperty({ type: [PartAnswer], description: 'What is down first, then what is degraded' }) parts!: PartAnswer[];
}

export const toNow = (parts: readonly PartNow[]): NowAnswer => ({
  parts: parts.map(({ name, status, since, sentence, value, unit, lastHour, depends, action }) => ({
    ...{ name, status, sentence, value, unit, action },
    since: since.toISOString(),
    last_hour: [...lastHour],
    depends: [...depends],
  })),
});

@ApiTags('Operators')
@Controller('admin/now')
export class NowController {
  constructor(private readonly now: Now) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, {
    summary: 'How every part of the service is, and was within the last hour',
    description: 'It answers while the stores are away, too. A reading serves all who look within 5 seconds.',
    type: NowAnswer,
  })
  async showNow(): Promise<NowAnswer> {
    return toNow(await this.now.parts());
  }
}
