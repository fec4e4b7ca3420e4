import { Controller, Get, Inject } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { RequiresKey } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { SCREENING_KINDS } from '../domain/screening-list.js';
import { type DescribedList, PresentLists } from '../lists/present-lists.js';

class ListResponse {
  @ApiProperty({ example: 'OFAC_SDN' }) id!: string;
  @ApiProperty({ enum: SCREENING_KINDS }) kind!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'United Nations Security Council',
    description: 'null of a list of the operator’s own',
  })
  publisher!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-11-20.0f3a5c7d9e1b2a4c',
    description: 'null: never loaded',
  })
  version!: string | null;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    example: '2026-11-20',
    description: 'As the publisher says',
  })
  published_on!: string | null;
  @ApiProperty({ type: 'integer', minimum: 0, example: 1_003 }) entries!: number;
  @ApiProperty({ description: 'Production refuses a check of the kind without it, with 503' }) required!: boolean;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When its publisher last answered' })
  fetched_at!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, example: 3_600, description: 'Seconds since then' })
  age_seconds!: number | null;
}

class ListsResponse {
  @ApiProperty({ type: [ListResponse] }) lists!: ListResponse[];
}

/** Which lists this deployment screens against. */
@ApiTags('Screening')
@Controller('api/v1/compliance/lists')
export class ListsController {
  constructor(
    private readonly lists: PresentLists,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'The lists that checks are made against, with their versions and ages',
    type: ListsResponse,
  })
  async listLists(): Promise<ListsResponse> {
    await this.lists.renew();
    return { lists: this.lists.describe().map((list) => this.toResponse(list)) };
  }

  private toResponse({ list, fetchedAt, publishedOn, ...described }: DescribedList): ListResponse {
    const { kind, publisher, version, entries, required } = described;
    const age = fetchedAt && Math.max(0, Math.floor((this.clock.now().getTime() - fetchedAt.getTime()) / 1_000));
    return {
      id: list,
      kind,
      publisher,
      version,
      published_on: publishedOn,
      entries,
      required,
      fetched_at: fetchedAt?.toISOString() ?? null,
      age_seconds: age,
    };
  }
}
