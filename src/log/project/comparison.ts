import { type EventStore } from '../../platform/eventstore/event-store.js';
import { declareNewest } from './checkpoints.js';
import { type Shown, SHOWN } from './compare.js';
import { type Finding, findingsOf, findingToJson, type Shows } from './findings.js';
import { type Projection } from './projection.js';
import {
  Rebuild,
  type RebuildOptions,
  type RebuildProgress,
  type RebuildReport,
  type RebuildStage,
} from './rebuild.js';
import { type ProjectionSession } from '../../platform/postgres/session.js';
import { traceRows } from './trace.js';
import { differingRowsOf, forgetVerification, saveVerification } from './verifications.js';

/** Live rows against rows made anew. */
export interface Comparison {
  readonly projection: Projection;
  readonly report: RebuildReport;
  readonly findings: readonly Finding[];
  /** From the beginning of the reading to the end of the comparison. */
  readonly seconds: number;
}

export const isEqual = ({ report }: Comparison): boolean => report.tables.every(({ equal }) => equal);

/** What becomes of the rebuilt rows after the comparison. */
export type Outcome = 'swap' | 'discard';

export interface ComparingOptions extends Pick<RebuildOptions, 'rest'> {
  readonly session: ProjectionSession;
  readonly store: EventStore;
  /** Interrupts the work, which leaves the live rows as they are. */
  readonly signal: AbortSignal;
  readonly outcome: Outcome;
  readonly shown?: Shown;
  /** `events` counts those of all projections. */
  readonly onProgress: (progress: RebuildProgress) => void;
  readonly onStage: (projection: string, stage: RebuildStage) => void;
  /** Called with each comparison as soon as it is there; of a swap, once the rebuilt rows are live. */
  readonly onCompared: (comparison: Comparison) => void;
}

interface Begun {
  readonly projection: Projection;
  readonly rebuild: Rebuild;
}

const beginAll = async (options: ComparingOptions, projections: readonly Projection[]): Promise<Begun[]> => {
  const { session, store, signal, shown = SHOWN, rest } = options;
  const read = new Map<Projection, number>();
  const works: Begun[] = [];
  for (const projection of projections) {
    const onProgress = (progress: RebuildProgress): void => {
      read.set(projection, progress.events);
      options.onProgress({ ...progress, events: [...read.values()].reduce((sum, events) => sum + events, 0) });
    };
    const onStage = (stage: RebuildStage): void => options.onStage(projection.name, stage);
    const common = { session, store, projection, signal, shown, onProgress, onStage };
    works.push({ projection, rebuild: await Rebuild.begin(rest === undefined ? common : { ...common, rest }) });
  }
  return works;
};

/** The event behind each of the differing rows that are shown. */
const findIn = async (
  { session, store, signal, onProgress }: ComparingOptions,
  projection: Projection,
  { comparedAt, tables }: RebuildReport,
): Promise<readonly Finding[]> => {
  const rows = tables.flatMap(({ table, differences }) => differences.map((difference) => ({ table, difference })));
  if (comparedAt === undefined || rows.length === 0) return [];
  const tracing = (events: number, position: bigint): void => onProgress({ events, position, goal: comparedAt });
  const options = { session, store, projection, signal, until: comparedAt, onProgress: tracing };
  return findingsOf(await traceRows(options, rows));
};

const note = async (session: ProjectionSession, { projection, report, seconds }: Comparison): Promise<void> => {
  const { comparedAt: position, tables, events } = report;
  if (position === undefined) return;
  const different = tables.filter(({ equal }) => !equal);
  const differingRows = different.reduce((sum, table) => sum + differingRowsOf(table), 0);
  const found = { projection: projection.name, position, events, seconds };
  await saveVerification(session, { ...found, differingTables: different.length, differingRows });
};

const conclude = async (options: ComparingOptions, { projection, rebuild }: Begun, began: number) => {
  const { session, outcome } = options;
  const report = await rebuild.compareWithLive();
  const seconds = (performance.now() - began) / 1_000;
  if (outcome === 'swap') {
    await declareNewest(session, projection);
    await rebuild.swap();
    await forgetVerification(session, projection.name);
    return { projection, report, findings: [], seconds };
  }
  const findings = await findIn(options, projection, report);
  await rebuild.discard();
  const comparison = { projection, report, findings, seconds };
  await note(session, comparison);
  return comparison;
};

/** Several read the log once, and are compared one after the other. Throws RebuildUnderWay and Unavailable. */
export const compareProjections = async (
  options: ComparingOptions,
  projections: readonly Projection[],
): Promise<void> => {
  const began = performance.now();
  const works = await beginAll(options, projections);
  if (works.length > 1) await Rebuild.readTogether(works.map(({ rebuild }) => rebuild));
  for (const work of works) options.onCompared(await conclude(options, work, began));
};

export const comparisonToJson = ({ projection, report, findings, seconds }: Comparison, shows: Shows = {}) => ({
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
    differences: findings
      .filter(({ row }) => row.table === table.table)
      .map((finding) => findingToJson(finding, shows)),
  })),
});
