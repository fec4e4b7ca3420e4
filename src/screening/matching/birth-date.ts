import { type BirthDate } from '../domain/list-entry.js';

export interface Comparison {
  readonly verdict: 'agrees' | 'contradicts' | 'neither';
  /** Added to the score of the names. */
  readonly adjustment: number;
  /** Taken from it where one name lacks all that the other has; of a share, that share. */
  readonly whereLacking?: number;
  /** What a compliance officer reads; none where nothing was compared. */
  readonly reason?: string;
}

const DAY = 86_400_000;
const NEAR = 366 * DAY;

/** The most that a birth date adds. */
export const MOST_OF_BIRTH_DATE = 0.15;

const swapped = (day: string): string => `${day.slice(0, 4)}-${day.slice(8, 10)}-${day.slice(5, 7)}`;

/** Nothing tells for the person where the date could be anybody's: the name alone must be nearer then. */
const NO_EVIDENCE = -0.03;

/** Publishers and registries write it where they know the year alone. */
const standsForItsYear = (day: string): boolean => day.endsWith('-01-01');

const compareSame = (asked: string): Comparison =>
  standsForItsYear(asked)
    ? {
        verdict: 'agrees',
        adjustment: 0,
        reason: `Birth date ${asked} is the listed one, but 1 January often stands for the year alone.`,
      }
    : {
        verdict: 'agrees',
        adjustment: MOST_OF_BIRTH_DATE,
        whereLacking: 0.2,
        reason: `Birth date ${asked} is the listed one.`,
      };

/** Best first. */
const compareOne = (asked: string, { text, from, to }: BirthDate): Comparison => {
  if (asked === from && asked === to) return compareSame(asked);
  if (asked >= from && asked <= to) {
    const adjustment = to.slice(0, 4) === from.slice(0, 4) ? 0 : NO_EVIDENCE;
    return { verdict: 'agrees', adjustment, reason: `Birth date ${asked} lies within the listed “${text}”.` };
  }
  if (from === to && swapped(asked) === from) {
    return {
      verdict: 'agrees',
      adjustment: 0.04,
      reason: `Birth date ${asked} is the listed ${text} with day and month exchanged.`,
    };
  }
  const apart = Math.max(Date.parse(from) - Date.parse(asked), Date.parse(asked) - Date.parse(to));
  if (apart <= NEAR) {
    return {
      verdict: 'neither',
      adjustment: -0.12,
      reason: `Birth date ${asked} is within a year of the listed “${text}”, but differs.`,
    };
  }
  return {
    verdict: 'contradicts',
    adjustment: -0.16,
    reason: `Birth date ${asked} contradicts the listed “${text}”.`,
  };
};

const NO_DATE: Comparison = {
  verdict: 'neither',
  adjustment: -0.05,
  whereLacking: 0.1,
  reason: 'The list gives no birth date to compare.',
};

/** The listed date that is nearest counts, since a list names several where it is not sure. */
export const compareBirthDate = (asked: string | undefined, listed: readonly BirthDate[]): Comparison => {
  if (asked === undefined) return { verdict: 'neither', adjustment: 0 };
  const [best] = listed.map((one) => compareOne(asked, one)).sort((a, b) => b.adjustment - a.adjustment);
  return best ?? NO_DATE;
};

/** What a listed country adds. */
export const MOST_OF_COUNTRY = 0.02;

export const compareCountry = (asked: string | undefined, listed: readonly string[]): Comparison => {
  if (asked === undefined) return { verdict: 'neither', adjustment: 0 };
  if (listed.includes(asked)) {
    return { verdict: 'agrees', adjustment: MOST_OF_COUNTRY, reason: `Country ${asked} is a listed one.` };
  }
  if (listed.length === 0) {
    return { verdict: 'neither', adjustment: 0, reason: 'The list gives no country to compare.' };
  }
  return {
    verdict: 'contradicts',
    adjustment: -0.04,
    reason: `Country ${asked} differs from the listed ${listed.join(', ')}.`,
  };
};
