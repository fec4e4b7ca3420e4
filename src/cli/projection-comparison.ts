import { type EventStore } from '../platform/eventstore/event-store.js';
import { declareNewest } from '../log/project/checkpoints.js';
import { type Shown, SHOWN, type TableComparison } from '../log/project/compare.js';
import { type Projection } from '../log/project/projection.js';
import { Rebuild, type RebuildProgress, type RebuildReport, type RebuildStage } from '../log/project/rebuild.js';
import { type ProjectionSession } from '../log/project/session.js';
import { traceRows } from '../log/project/trace.js';
import { differingRowsOf, saveVerification } from '../log/project/verifications.js';
import { columns } from './columns.js';
import { describeFinding, describeForeign, type Finding, findingsOf, findingToJson } from './projection-findings.js';
import { RebuildBar } from './rebuild-bar.js';
import { type Recording } from './command-line-acts.js';

export interface ProjectionsCommandContext extends Recording {
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts a rebuild, which leaves the live rows as they are. */
  readonly signal: AbortSignal;
}

/** Live rows against rows made anew. */
export interface Comparison {
  readonly projection: Projection;
  readonly report: RebuildReport;
  readonly findings: readonly Finding[];
  /** From the beginning of the reading to the end of the comparison. */
  readonly seconds: number;
}

export const isEqual = ({ report }: Comparison): boolean => report.tables.every(({ equal }) => equal);

interface Begun {
  readonly projection: Projection;
  readonly rebuild: Rebuild;
}

/** What becomes of the rebuilt rows after the comparison. */
export type Outcome = 'swap' | 'discard';

interface Wanted {
  readonly outcome: Outcome;
  readonly shown?: Shown;
}

const beginAll = async (
  { store, signal }: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
  shown: Shown,
  bar: RebuildBar,
): Promise<Begun[]> => {
  const read = new Map<Projection, number>();
  const works: Begun[] = [];
  for (const projection of projections) {
    const onProgress = (progress: RebuildProgress): void => {
      read.set(projection, progress.events);
      bar.show({ ...progress, events: [...read.values()].reduce((sum, events) => sum + events, 0) });
    };
    const onStage = (stage: RebuildStage): void => bar.showStage(projection.name, stage);
    const options = { session, store, projection, signal, shown, onProgress, onStage };
    works.push({ projection, rebuild: await Rebuild.begin(options) });
  }
  return works;
};

/** The event behind each of the differing rows that are shown. */
const findIn = async (
  { store, signal }: ProjectionsCommandContext,
  session: ProjectionSession,
  projection: Projection,
  { comparedAt, tables }: RebuildReport,
  bar: RebuildBar,
): Promise<readonly Finding[]> => {
  const rows = tables.flatMap(({ table, differences }) => differences.map((difference) => ({ table, difference })));
  if (comparedAt === undefined || rows.length === 0) return [];
  const onProgress = (events: number, position: bigint): void => bar.show({ events, position, goal: comparedAt });
  return findingsOf(await traceRows({ session, store, projection, signal, until: comparedAt, onProgress }, rows));
};

const note = async (session: ProjectionSession, { projection, report, seconds }: Comparison): Promise<void> => {
  const { comparedAt: position, tables, events } = report;
  if (position === undefined) return;
  const different = tables.filter(({ equal }) => !equal);
  const differingRows = different.reduce((sum, table) => sum + differingRowsOf(table), 0);
  const found = { projection: projection.name, position, events, seconds };
  await saveVerification(session, { ...found, differingTables: different.length, differingRows });
};

const conclude = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  { projection, rebuild }: Begun,
  outcome: Outcome,
  began: number,
  bar: RebuildBar,
): Promise<Comparison> => {
  const report = await rebuild.compareWithLive();
  const seconds = (performance.now() - began) / 1_000;
  if (outcome === 'swap') {
    await declareNewest(session, projection);
    await rebuild.swap();
    return { projection, report, findings: [], seconds };
  }
  const findings = await findIn(context, session, projection, report, bar);
  await rebuild.discard();
  const comparison = { projection, report, findings, seconds };
  await note(session, comparison);
  return comparison;
};

/** Several read the log once, and are compared one after the other. Each is given to `each` as soon as it is. */
export const compareAll = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
  { outcome, shown = SHOWN }: Wanted,
  each: (comparison: Comparison) => void,
): Promise<void> => {
  const bar = new RebuildBar(projections.map(({ name }) => name).join(', '));
  const began = performance.now();
  try {
    const works = await beginAll(context, session, projections, shown, bar);
    if (works.length > 1) await Rebuild.readTogether(works.map(({ rebuild }) => rebuild));
    for (const work of works) {
      const comparison = await conclude(context, session, work, outcome, began, bar);
      bar.stop();
      each(comparison);
    }
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

export const comparisonToJson = ({ projection, report, findings, seconds }: Comparison): object => ({
  projection: projection.name,
  version: projection.version,
  position: report.comparedAt === undefined ? null : String(report.comparedAt),
  events: report.events,
  seconds: Math.round(seconds * 1_000) / 1_000,
  equal: report.tables.every(({ equal }) => equal),
  tables: report.tables.map((table) => ({
    table: table.table,
    live_rows: table.liveRows,
    rebuilt_rows: table.rebuiltRows,
    equal: table.equal,
    differing_rows: table.equal ? 0 : differingRowsOf(table),
    ...(table.foreign && { foreign_columns: table.foreign }),
    differences: findings.filter(({ row }) => row.table === table.table).map((finding) => findingToJson(finding)),
  })),
});
