import { FAULTY, field } from './field-rule.js';
import { dayOf } from './time.js';

const FIRST_DAY = '1900-01-01';
/** How far the clocks of the Line Islands, where each day begins first, are ahead of UTC, milliseconds. */
const FARTHEST_AHEAD_MS = 14 * 3_600_000;

const lastDay = (now: Date): string => new Date(now.getTime() + FARTHEST_AHEAD_MS).toISOString().slice(0, 10);

/** When somebody was born: a real calendar date from 1900 until what is today anywhere on Earth; read as that text. */
export const BirthDateField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_DATE',
      detail: 'A date, YYYY-MM-DD, not before 1900 and not in the future',
      optional: true,
      // Texts of four-digit years compare as their dates do.
      read: (value, _source, clock) =>
        typeof value === 'string' && dayOf(value) !== undefined && value >= FIRST_DAY && value <= lastDay(clock.now())
          ? value
          : FAULTY,
    },
    { type: String, format: 'date', example: '1990-04-23' },
  );
