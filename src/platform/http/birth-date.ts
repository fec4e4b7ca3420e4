import { FAULTY, field } from './field-rule.js';
import { dayOf } from './time.js';

const FIRST_DAY = '1900-01-01';
/** Milliseconds by which the Line Islands are ahead of UTC. Each day begins there first. */
const FARTHEST_AHEAD_MS = 14 * 3_600_000;

const lastDay = (now: Date): string => new Date(now.getTime() + FARTHEST_AHEAD_MS).toISOString().slice(0, 10);

/** A birth date: a real calendar date from 1900 to today, in the time zone that is farthest ahead. The value stays text. */
export const BirthDateField = (options: { readonly required?: true } = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_DATE',
      detail: 'A date, YYYY-MM-DD, not before 1900 and not in the future',
      optional: options.required !== true,
      // Dates with four-digit years sort as text in the order of time.
      read: (value, _source, clock) =>
        typeof value === 'string' && dayOf(value) !== undefined && value >= FIRST_DAY && value <= lastDay(clock.now())
          ? value
          : FAULTY,
    },
    { type: String, format: 'date', example: '1990-04-23' },
  );
