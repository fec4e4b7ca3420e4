import { createHash } from 'node:crypto';
import { type ForeignColumns, type RowDifference } from './compare.js';
import { type Counted, type Evidence, type Explanation, explain, type TracedRow } from './explain.js';

/** A differing row with the event behind it. */
export interface Finding {
  readonly row: TracedRow;
  readonly explanation: Explanation;
}

export const findingsOf = (rows: readonly TracedRow[]): readonly Finding[] => {
  const explanations = explain(rows);
  return rows.map((row, index) => ({
    row,
    explanation: explanations[index] ?? { step: undefined, evidence: undefined },
  }));
};

/** Of the event behind a row, or of the first that makes it; rows without one come last. */
const placeOf = ({ row: { steps }, explanation: { step } }: Finding): bigint =>
  (step ?? steps[0])?.event.position ?? 2n ** 64n;

/** Where a fault began says more than where it spread. */
export const oldestFirst = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));

/** Longer values are sealed fields and keyed hashes of persons. */
const MAX_VALUE_LENGTH = 48;
const SHOWN_OF_IT = 24;

/** Of a long value its beginning and a digest, so that two that differ look different. */
const shortened = (value: unknown): unknown => {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  if (text.length <= MAX_VALUE_LENGTH) return value;
  return `${text.slice(0, SHOWN_OF_IT)}… (SHA-256 ${createHash('sha256').update(text).digest('hex').slice(0, 8)})`;
};

/** How values are shown. */
export interface Shows {
  /** Whole, sealed fields and keyed hashes too. */
  readonly reveal?: boolean | undefined;
  /** Long members of keys shortened, as values are. */
  readonly shortKeys?: boolean | undefined;
}

const shownBy =
  ({ reveal }: Shows) =>
  (value: unknown): unknown =>
    reveal === true ? value : shortened(value);

const writtenBy = (shows: Shows): ((value: unknown) => string) => {
  const shown = shownBy(shows);
  return (value) => (value === undefined ? 'nothing' : JSON.stringify(shown(value)));
};

const WHY: Readonly<Record<Evidence, string>> = {
  only_event: 'no other event makes this row',
  other_rows: 'the first of its events that made another wrong row',
  not_followed: 'the row stands as before this event',
  as_if: 'the value is as if, from this event on, each event of this type counted',
};

const why = (evidence: Evidence, counted: Counted | undefined): string =>
  counted === undefined ? WHY[evidence] : `${WHY[evidence]} ${counted}`;

/** Differing columns. Of a row that only one side has, all columns. */
const sidesOf = ({ columns, live, rebuilt }: RowDifference): readonly (readonly [string, unknown, unknown])[] => {
  const names = columns.length > 0 ? columns : Object.keys(live ?? rebuilt ?? {});
  return names.map((name) => [name, live?.[name], rebuilt?.[name]]);
};

const describeEvent = ({ row: { steps }, explanation: { step, evidence, counted } }: Finding): string => {
  if (step !== undefined && evidence !== undefined) {
    const { position, type, revision, stream } = step.event;
    return `since position ${position}: ${type}, revision ${revision} of ${stream} (${why(evidence, counted)})`;
  }
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return 'no event of the log makes this row';
  return `${steps.length} events make this row, positions ${first.event.position} to ${last.event.position}; the rows do not show which one`;
};

const cellsOf = (difference: RowDifference, shows: Shows): readonly string[] => {
  const written = writtenBy(shows);
  return sidesOf(difference).map(
    ([name, live, rebuilt]) => `  ${name}: live ${written(live)}, rebuilt ${written(rebuilt)}`,
  );
};

/** Lines of one row: what differs, live against rebuilt, and the event behind it. */
export const describeFinding = (finding: Finding, shows: Shows = {}): readonly string[] => {
  const { table, difference } = finding.row;
  const cells = difference.kind === 'different' ? cellsOf(difference, shows) : [];
  return [`${table} ${difference.key} ${difference.kind}`, ...cells, `  ${describeEvent(finding)}`];
};

/** Columns by which rows cannot be compared, since one side lacks them. */
export const describeForeign = ({ live, rebuilt }: ForeignColumns): string => {
  const sides = [
    ...(live.length === 0 ? [] : [`only the live table has ${live.join(', ')}`]),
    ...(rebuilt.length === 0 ? [] : [`only the rebuilt one has ${rebuilt.join(', ')}`]),
  ];
  return sides.length === 0 ? 'the columns stand in another order' : sides.join('; ');
};

const eventOf = ({ step }: Explanation) =>
  step === undefined
    ? null
    : {
        position: String(step.event.position),
        stream: step.event.stream,
        revision: String(step.event.revision),
        type: step.event.type,
        id: step.event.id,
      };

const keyOf = ({ key }: RowDifference, { shortKeys }: Shows): unknown => {
  const members = JSON.parse(key) as unknown;
  return shortKeys === true && Array.isArray(members) ? members.map(shortened) : members;
};

/** The same for programs. */
export const findingToJson = (
  { row: { table, difference, steps }, explanation }: Finding,
  shows: Shows = {},
): object => ({
  table,
  key: keyOf(difference, shows),
  kind: difference.kind,
  columns: Object.fromEntries(
    sidesOf(difference).map(([name, live, rebuilt]) => [
      name,
      { live: shownBy(shows)(live) ?? null, rebuilt: shownBy(shows)(rebuilt) ?? null },
    ]),
  ),
  events: steps.length,
  event: eventOf(explanation),
  evidence: explanation.evidence ?? null,
  ...(explanation.counted === undefined ? {} : { counted: explanation.counted }),
});

/** The row with every column, and what the log makes of it around the event at which it went wrong. */
export const describeCourse = (finding: Finding, shows: Shows = {}): readonly string[] => {
  const {
    row: { steps, difference },
    explanation: { step },
  } = finding;
  const written = writtenBy(shows);
  const missing = difference.kind === 'different' ? [] : cellsOf(difference, shows);
  const described = [...describeFinding(finding, shows), ...missing];
  if (step === undefined) return described;
  const before = steps[steps.indexOf(step) - 1];
  const right = before === undefined ? 'from its beginning' : `after position ${before.event.position}`;
  const changed = Object.keys(step.after ?? step.before ?? {}).filter(
    (name) => JSON.stringify(step.before?.[name]) !== JSON.stringify(step.after?.[name]),
  );
  const move = (name: string): string => `${name} ${written(step.before?.[name])} -> ${written(step.after?.[name])}`;
  return [
    ...described,
    `  event ${step.event.id}; by the log it makes: ${changed.map(move).join(', ')}`,
    `  wrong ${right}, ${steps.length - steps.indexOf(step)} of the row's ${steps.length} events; now ${difference.kind}`,
  ];
};

/** Whether the row was wrong already at this position, as far as the rows show. */
export const wasWrongAt = ({ row: { steps }, explanation: { step } }: Finding, position: bigint): boolean => {
  const first = (step ?? steps[0])?.event.position;
  return first === undefined || first <= position;
};
