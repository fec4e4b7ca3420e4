import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Shown, SHOWN, type TableComparison } from '../log/project/compare.js';
import { type Comparison, compareProjections, type Outcome } from '../log/project/comparison.js';
import { describeFinding, describeForeign } from '../log/project/findings.js';
import { type Projection } from '../log/project/projection.js';
import { type ProjectionSession } from '../platform/postgres/session.js';
import { columns } from './columns.js';
import { type Recording } from './command-line-acts.js';
import { RebuildBar } from './rebuild-bar.js';

export interface ProjectionsCommandContext extends Recording {
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts a rebuild, which leaves the live rows as they are. */
  readonly signal: AbortSignal;
}

interface Wanted {
  readonly outcome: Outcome;
  readonly shown?: Shown;
}

/** With its progress on stderr. Each comparison is given to `each` as soon as it is there. */
export const compareAll = async (
  { store, signal }: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
  { outcome, shown = SHOWN }: Wanted,
  each: (comparison: Comparison) => void,
): Promise<void> => {
  const bar = new RebuildBar(projections.map(({ name }) => name).join(', '));
  const options = {
    ...{ session, store, signal, outcome, shown },
    onProgress: bar.show.bind(bar),
    onStage: bar.showStage.bind(bar),
    onCompared: (comparison: Comparison) => {
      bar.stop();
      each(comparison);
    },
  };
  try {
    await compareProjections(options, projections);
  } finally {
    bar.stop();
  }
};

const describeTable = ({ table, liveRows, rebuiltRows, equal, differing, foreign }: TableComparison): string =>
  columns([
    table,
    `${liveRows} live`,
    `${rebuiltRows} rebuilt`,
    equal ? 'equal' : 'DIFFERENT',
    ...(equal || differing === undefined ? [] : [`${differing} rows`]),
    ...(foreign === undefined ? [] : [describeForeign(foreign)]),
  ]);

export const describeComparison = ({ projection, report, findings, seconds }: Comparison): readonly string[] => {
  const { comparedAt, tables, events } = report;
  if (comparedAt === undefined)
    return [`${projection.name}: the live projection had read nothing yet, so there was nothing to compare.`];
  const lines = tables.flatMap((table) => [
    describeTable(table),
    ...findings
      .filter(({ row }) => row.table === table.table)
      .flatMap((finding) => describeFinding(finding).map((line) => `  ${line}`)),
  ]);
  const rate = Math.round(events / Math.max(seconds, 0.001));
  return [
    `${projection.name}: ${events} events read (${rate}/s); compared at position ${comparedAt}:`,
    ...lines.map((line) => `  ${line}`),
  ];
};
