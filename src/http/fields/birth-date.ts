import { FAULTY, field } from '../field-rule.js';
import { dayOf } from '../time.js';

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

const PARTIAL = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d{2})?)?$/;

/** A birth date of which the day, or day and month, may be unknown: YYYY, YYYY-MM or YYYY-MM-DD. The value stays text. */
export const PartialBirthDateField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_DATE',
      detail: 'A date, YYYY-MM-DD, YYYY-MM or YYYY, not before 1900 and not in the future',
      optional: true,
      read: (value, _source, clock) => {
        if (typeof value !== 'string' || !PARTIAL.test(value)) return FAULTY;
        if (value.length === FIRST_DAY.length && dayOf(value) === undefined) return FAULTY;
        return value >= FIRST_DAY.slice(0, value.length) && value <= lastDay(clock.now()).slice(0, value.length)
          ? value
          : FAULTY;
      },
    },
    { type: String, pattern: PARTIAL.source, example: '1990-04-23' },
  );
