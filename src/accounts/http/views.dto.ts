import { ApiProperty } from '@nestjs/swagger';
import { FAULTY, field } from '../../http/field-rule.js';
import { EnumField } from '../../http/fields.js';
import { type SavedView, type ViewsOfScreen } from '../members/saved-views.js';

/** The lists of the console that keep views. */
const VIEWED_SCREENS = [
  'audit',
  'credentials',
  'identities',
  'matches',
  'requests',
  'usage',
  'webhook-events',
] as const;

/** Views of one screen. */
const MAX_VIEWS = 20;
const MAX_NAME = 60;
const MAX_QUERY = 2_048;

export class ViewResponse implements SavedView {
  @ApiProperty({ example: 'Mine, overdue', maxLength: MAX_NAME }) name!: string;
  @ApiProperty({ example: 'status=open&overdue=true', maxLength: MAX_QUERY }) query!: string;
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && Buffer.byteLength(value) <= max;

const viewOf = (value: unknown): SavedView | undefined => {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return isText(name, MAX_NAME) && name.trim() !== '' && isText(query, MAX_QUERY) ? { name, query } : undefined;
};

/** Undefined unless all are views, and each has a name of its own. */
const viewsOf = (value: unknown): readonly SavedView[] | undefined => {
  if (!Array.isArray(value) || value.length > MAX_VIEWS) return undefined;
  const views = value.map(viewOf).filter((view) => view !== undefined);
  return views.length === value.length && new Set(views.map(({ name }) => name)).size === views.length
    ? views
    : undefined;
};

export class ViewsBody {
  @EnumField(VIEWED_SCREENS, { description: 'A list of the console' })
  screen!: (typeof VIEWED_SCREENS)[number];

  @field(
    {
      code: 'INVALID_FIELD',
      detail: `At most ${MAX_VIEWS} of {name, query}: names of up to ${MAX_NAME} bytes, each once; queries of up to 2 KiB`,
      optional: false,
      read: (value) => viewsOf(value) ?? FAULTY,
    },
    { type: [ViewResponse], maxItems: MAX_VIEWS },
  )
  views!: readonly SavedView[];
}

export class ScreenViewsResponse implements ViewsOfScreen {
  @ApiProperty({ enum: VIEWED_SCREENS }) screen!: string;
  @ApiProperty({ type: [ViewResponse] }) views!: readonly SavedView[];
}

export class ViewsResponse {
  @ApiProperty({ type: [ScreenViewsResponse] }) screens!: readonly ViewsOfScreen[];
}
