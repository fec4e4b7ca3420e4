import { type RowDifference } from '../platform/projections/compare.js';
import {
  type Counted,
  type Evidence,
  type Explanation,
  explain,
  type TracedRow,
} from '../platform/projections/explain.js';

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

/** Longer texts are sealed fields and hashes, which nobody reads. */
const LONGEST_TEXT = 48;

const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;

const written = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(shortened(value)));

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
  return `${steps.length} events make this row, positions ${first.event.position} to ${last.event.position}; the rows do not tell which one`;
};

/** Lines of one row: what differs, live against rebuilt, and the event behind it. */
export const describeFinding = (finding: Finding): readonly string[] => {
  const { table, difference } = finding.row;
  const cells =
    difference.kind === 'different'
      ? sidesOf(difference).map(
          ([name, live, rebuilt]) => `  ${name}: live ${written(live)}, rebuilt ${written(rebuilt)}`,
        )
      : [];
  return [`${table} ${difference.key} ${difference.kind}`, ...cells, `  ${describeEvent(finding)}`];
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

/** The same for programs. */
export const findingToJson = ({ row: { table, difference, steps }, explanation }: Finding): object => ({
  table,
  key: JSON.parse(difference.key) as unknown,
  kind: difference.kind,
  columns: Object.fromEntries(
    sidesOf(difference).map(([name, live, rebuilt]) => [
      name,
      { live: shortened(live) ?? null, rebuilt: shortened(rebuilt) ?? null },
    ]),
  ),
  events: steps.length,
  event: eventOf(explanation),
  evidence: explanation.evidence ?? null,
  ...(explanation.counted === undefined ? {} : { counted: explanation.counted }),
});

/** What the log makes of the row, around the event at which it went wrong. */
export const describeCourse = (finding: Finding): readonly string[] => {
  const {
    row: { steps, difference },
    explanation: { step },
  } = finding;
  if (step === undefined) return describeFinding(finding);
  const before = steps[steps.indexOf(step) - 1];
  const right = before === undefined ? 'from its beginning' : `after position ${before.event.position}`;
  const changed = Object.keys(step.after ?? step.before ?? {}).filter(
    (name) => JSON.stringify(step.before?.[name]) !== JSON.stringify(step.after?.[name]),
  );
  const move = (name: string): string => `${name} ${written(step.before?.[name])} -> ${written(step.after?.[name])}`;
  return [
    ...describeFinding(finding),
    `  event ${step.event.id}; by the log it makes: ${changed.map(move).join(', ')}`,
    `  wrong ${right}, ${steps.length - steps.indexOf(step)} of the row's ${steps.length} events; now ${difference.kind}`,
  ];
};

/** Whether the row was wrong already at this position, as far as the rows tell. */
export const wasWrongAt = ({ row: { steps }, explanation: { step } }: Finding, position: bigint): boolean => {
  const first = (step ?? steps[0])?.event.position;
  return first === undefined || first <= position;
};
