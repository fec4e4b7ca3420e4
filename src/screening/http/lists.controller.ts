import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { type MatchRow } from '../../../projections/screening/screening.queries.js';
import { Context, RequiresKey } from '../../http/access.js';
import { TextField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { refuse } from '../../kernel/rejection.js';
import { LIST_ID, SCREENING_KINDS } from '../domain/screening-list.js';
import { matchId } from '../domain/stored-decision.js';
import { type DescribedList, PresentLists } from '../lists/present-lists.js';
import { type ListChange, ListChanges, MAX_HITS } from '../reverse/list-changes.js';

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

/** Entries that one answer names. */
const MAX_ENTRIES = 1_000;
const VERSION = '2026-11-20.0f3a5c7d9e1b2a4c';
const TAKES = 'A version of the list, as matches and events name it';

const VersionField = (description: string): PropertyDecorator =>
  TextField({ optional: true, max: 64, takes: TAKES, example: VERSION, description });

class ListChangesQuery {
  @VersionField('Default the version before `to`')
  from?: string;

  @VersionField('Default the version in force')
  to?: string;
}

class ChangedEntry {
  @ApiProperty({ example: '36216', description: 'The publisher’s id of the entry' }) entry_id!: string;
  @ApiProperty({ enum: ['added', 'changed', 'removed'] }) change!: string;
}

class ListHit {
  @ApiProperty({ example: matchId('3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a', 0) }) match_id!: string;
  @ApiProperty({ example: 'idn_0f3a5c7d9e1b2a4c6e8f0a1b2c3d4e5f' }) identity_id!: string;
  @ApiProperty({ example: '36216' }) entry_id!: string;
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.97 }) score!: number;
  @ApiProperty({ example: 'open', description: 'Of the match, as in the queue' }) status!: string;
}

class ListChangesResponse {
  @ApiProperty({ example: 'OFAC_SDN' }) list!: string;
  @ApiProperty({ type: String, nullable: true, example: VERSION, description: 'null: nothing was in force before' })
  from!: string | null;
  @ApiProperty({ example: VERSION }) to!: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 12 }) added!: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 3 }) changed!: number;
  @ApiProperty({ type: 'integer', minimum: 0, example: 1 }) removed!: number;
  @ApiProperty({ type: [ChangedEntry], description: `The first ${MAX_ENTRIES}` }) entries!: ChangedEntry[];
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When all identities were screened against `to`; null: not yet',
  })
  screened_at!: string | null;
  @ApiProperty({ type: [ListHit], description: `Identities of the account that it hit: the newest ${MAX_HITS}` })
  hits!: ListHit[];
  @ApiProperty({ description: 'There are more hits: the queue of matches has them all' }) has_more_hits!: boolean;
}

const hitOf = ({ decisionId, index, identityId, entryId, score, status, endedAt }: MatchRow): ListHit => ({
  match_id: matchId(decisionId, index),
  identity_id: identityId ?? '',
  entry_id: entryId,
  score,
  status: endedAt !== null && ['open', 'proposed'].includes(status) ? 'ended' : status,
});

const toChanges = (found: ListChange): ListChangesResponse => {
  const { list, from, to, added, changed, removed, screenedAt, hits, hasMoreHits } = found;
  const kinds = Object.entries({ added, changed, removed });
  const entries = kinds.flatMap(([change, ids]) => ids.map((id) => ({ entry_id: id, change })));
  return {
    ...{ list, from, to, added: added.length, changed: changed.length, removed: removed.length },
    entries: entries.slice(0, MAX_ENTRIES),
    screened_at: screenedAt?.toISOString() ?? null,
    hits: hits.map(hitOf),
    has_more_hits: hasMoreHits,
  };
};

/** Which lists this deployment screens against. */
@ApiTags('Screening')
@Controller('api/v1/compliance/lists')
export class ListsController {
  constructor(
    private readonly lists: PresentLists,
    private readonly changes: ListChanges,
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

  @Get(':list_id/changes')
  @RequiresKey('compliance')
  @RespondsWith(200, {
    summary: 'What a version of a list changed, and which identities of the account it hit',
    description: 'Versions that were in force here. Hits are those of `entries` that were added or changed.',
    type: ListChangesResponse,
  })
  async listChanges(
    @Param('list_id') list: string,
    @Query() { from, to }: ListChangesQuery,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<ListChangesResponse> {
    if (!LIST_ID.test(list)) throw refuse('not_found');
    return toChanges(await this.changes.between(context.principal.tenantId, list, from, to));
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
