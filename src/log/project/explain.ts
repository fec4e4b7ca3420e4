import { type Row, type RowDifference } from './compare.js';

/** Where an event stands in the log. */
export interface EventPlace {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: bigint;
  readonly type: string;
  readonly id: string;
}

/** What one event makes of a row. Null: there is no row. */
export interface Step {
  readonly event: EventPlace;
  readonly before: Row | null;
  readonly after: Row | null;
}

/** A differing row and all that the log does to it, in order. */
export interface TracedRow {
  readonly table: string;
  readonly difference: RowDifference;
  readonly steps: readonly Step[];
}

/**
 * How the event behind a difference is known.
 * `only_event`: no other event makes this row. `other_rows`: the first of the row's events that has another row wrong,
 * which it alone makes. `not_followed`: the live row stands as before this event. `as_if`: the live value is as if every event
 * of this type from this one on had counted in this way; other causes may give the same value.
 */
export type Evidence = 'only_event' | 'other_rows' | 'not_followed' | 'as_if';

export interface Explanation {
  /** The first event whose application differs. Undefined if the rows do not show it. */
  readonly step: Step | undefined;
  readonly evidence: Evidence | undefined;
  /** For `as_if`: how each of the events counted. */
  readonly counted?: Counted;
}

export type Counted = 'not at all' | 'twice' | 'with the wrong sign';

/** How many times too often an event counted: its change, taken this many times, is the difference. */
const FACTORS: readonly (readonly [Counted, number])[] = [
  ['not at all', -1],
  ['twice', 1],
  ['with the wrong sign', -2],
];

const UNKNOWN: Explanation = { step: undefined, evidence: undefined };

const sameRow = (one: Row | null, other: Row | null): boolean => {
  if (one === null || other === null) return one === other;
  return Object.keys(one).every((column) => JSON.stringify(one[column]) === JSON.stringify(other[column]));
};

const numberIn = (row: Row | null, column: string): number | undefined => {
  const value = row === null ? 0 : row[column];
  return typeof value === 'number' ? value : undefined;
};

/** What each of the row's events adds to a column. Undefined if it is no column of numbers. */
const changesOf = (steps: readonly Step[], column: string): number[] | undefined => {
  const changes = steps.map(({ before, after }) => {
    const [from, to] = [numberIn(before, column), numberIn(after, column)];
    return from === undefined || to === undefined ? NaN : to - from;
  });
  return changes.some(Number.isNaN) ? undefined : changes;
};

/** Index of the event from which on all events of its type together explain the difference. */
const since = (
  steps: readonly Step[],
  type: string,
  changes: readonly number[],
  wanted: number,
): number | undefined => {
  let sum = 0;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const change = changes[index] ?? 0;
    if (steps[index]?.event.type !== type || change === 0) continue;
    sum += change;
    if (sum === wanted) return index;
  }
  return undefined;
};

/** The only way of counting one type of event that explains every differing column. */
const miscounted = ({ difference, steps }: TracedRow): Explanation => {
  const found: Explanation[] = [];
  const columns = difference.columns.map((column) => ({
    changes: changesOf(steps, column),
    by: (numberIn(difference.live, column) ?? NaN) - (numberIn(difference.rebuilt, column) ?? NaN),
  }));
  for (const type of new Set(steps.map(({ event }) => event.type))) {
    for (const [counted, factor] of FACTORS) {
      const indexes = columns.map(({ changes, by }) => changes && since(steps, type, changes, by / factor));
      const [index] = indexes;
      if (index !== undefined && indexes.every((other) => other === index))
        found.push({ step: steps[index], evidence: 'as_if', counted });
    }
  }
  return found.length === 1 ? (found[0] ?? UNKNOWN) : UNKNOWN;
};

/** The first event that the live row does not show, if it stands as it once was by the log. */
const notFollowed = ({ difference, steps }: TracedRow): Explanation => {
  const last = steps.findLastIndex(({ before }) => sameRow(difference.live, before));
  return last === -1 ? UNKNOWN : { step: steps[last], evidence: 'not_followed' };
};

/** Positions of the events that have a wrong row for which no other event can be the cause. */
const witnessesIn = (rows: readonly TracedRow[]): ReadonlySet<bigint> =>
  new Set(
    rows.flatMap(({ steps: [first, ...others] }) => (first && others.length === 0 ? [first.event.position] : [])),
  );

/** For each row the first event whose application differs, as far as the rows show. */
export const explain = (rows: readonly TracedRow[]): readonly Explanation[] => {
  const witnesses = witnessesIn(rows);
  return rows.map((row) => {
    const { steps } = row;
    if (steps.length === 1) return { step: steps[0], evidence: 'only_event' };
    const step = steps.find(({ event }) => witnesses.has(event.position));
    if (step !== undefined) return { step, evidence: 'other_rows' };
    const stands = notFollowed(row);
    return stands.step === undefined && row.difference.kind === 'different' ? miscounted(row) : stands;
  });
};
