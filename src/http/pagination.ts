import { ApiProperty } from '@nestjs/swagger';
import { IntegerField } from './fields.js';

/** The query of a list that is read page by page. */
export class PageQuery {
  @IntegerField({ min: 1, max: 100, default: 50 })
  limit = 50;

  @IntegerField({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 })
  offset = 0;
}

/** Where a page stands in its list. */
export class Pagination {
  @ApiProperty({ type: 'integer', description: 'All entries of the list' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  limit!: number;

  @ApiProperty({ type: 'integer' })
  offset!: number;

  @ApiProperty({ description: 'Whether more entries follow those of this page' })
  has_more!: boolean;
}

/** `shown` is the number of entries on the page. */
export const paginationOf = (
  { limit, offset }: { readonly limit: number; readonly offset: number },
  { total, shown }: { readonly total: number; readonly shown: number },
): Pagination => ({ total, limit, offset, has_more: offset + shown < total });
