import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Checkpoint, declareNewest, readCheckpoint } from '../platform/projections/checkpoints.js';
import { type TableComparison } from '../platform/projections/compare.js';
import { type Projection } from '../platform/projections/projection.js';
import { Rebuild, type RebuildReport } from '../platform/projections/rebuild.js';
import { prepareReadModels } from '../platform/projections/runner.js';
import { ProjectionSession } from '../platform/projections/session.js';
import { RebuildBar } from './rebuild-bar.js';

export interface ProjectionsCommandContext {
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  readonly projections: readonly Projection[];
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts a rebuild, which leaves the live rows as they are. */
  readonly signal: AbortSignal;
}

export const PROJECTIONS_USAGE = `Usage: npm run projections -- status
       npm run projections -- rebuild <name>
       npm run projections -- verify <name>`;

const SAMPLE_MS = 1_000;

const columns = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(14))).join('');

interface Place {
  readonly projection: Projection;
  readonly label: string;
  readonly checkpoint: Checkpoint | undefined;
}

/** Of the rows that are served, and below them of those that are being made anew. */
const placesOf = async (session: ProjectionSession, projections: readonly Projection[]): Promise<Place[]> => {
  const places: Place[] = [];
  for (const projection of projections) {
    const live = await readCheckpoint(session, projection.name);
    places.push({ projection, label: projection.name, checkpoint: live });
    const shadow = await readCheckpoint(session, projection.name, 'shadow');
    if (shadow !== undefined) places.push({ projection, label: '  its rebuild', checkpoint: shadow });
  }
  return places;
};

/** Position and lag count positions in the log (`ahead`: of a restored one; the next start mends it); the rate is that of one second. */
const status = async ({ store, projections, print }: ProjectionsCommandContext, session: ProjectionSession) => {
  const before = await placesOf(session, projections);
  await sleep(SAMPLE_MS);
  const after = await placesOf(session, projections);
  const head = (await store.head()) ?? 0n;
  print(columns(['projection', 'position', 'head', 'lag', 'rate /s', 'code']));
  for (const { projection, label, checkpoint } of after) {
    const earlier = before.find((place) => place.projection === projection && place.label === label);
    const position = checkpoint?.position ?? 0n;
    const rate = position - (earlier?.checkpoint?.position ?? 0n);
    const lag = head >= position ? `${head - position}` : 'ahead';
    const code = checkpoint?.hash === projection.hash ? 'this version' : 'another';
    print(columns([label, `${position}`, `${head}`, lag, `${rate}`, code]));
  }
  return 0;
};

const describe = ({ table, liveRows, rebuiltRows, equal }: TableComparison): string =>
  columns([table, `${liveRows} live`, `${rebuiltRows} rebuilt`, equal ? 'equal' : 'DIFFERENT']);

const printReport = ({ comparedAt, tables, events }: RebuildReport, print: (line: string) => void): boolean => {
  if (comparedAt === undefined) {
    print('The live projection had read nothing yet: there was nothing to compare.');
    return true;
  }
  print(`${events} events read; compared at position ${comparedAt}:`);
  for (const table of tables) {
    print(`  ${describe(table)}`);
    for (const { key, kind, columns: names } of table.differences) print(`    ${key} ${kind} ${names.join(', ')}`);
  }
  return tables.every(({ equal }) => equal);
};

const rebuild = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projection: Projection,
  swap: boolean,
): Promise<number> => {
  const bar = new RebuildBar(projection.name);
  const { store, signal, print } = context;
  const work = await Rebuild.begin({
    session,
    store,
    projection,
    signal,
    onProgress: (progress) => bar.show(progress),
  });
  try {
    const report = await work.compareWithLive();
    if (swap) {
      await declareNewest(session, projection);
      await work.swap();
    } else await work.discard();
    bar.stop();
    const equal = printReport(report, print);
    if (swap) print(`${projection.name}: the rebuilt rows are live.`);
    return equal || swap ? 0 : 1;
  } finally {
    bar.stop();
  }
};

/** Answers with the exit code: 1 where `verify` finds a difference, 2 for what cannot be understood. */
export const projectionsCommand = async (
  [verb, name]: readonly string[],
  context: ProjectionsCommandContext,
): Promise<number> => {
  const projection = context.projections.find((candidate) => candidate.name === name?.replaceAll('-', '_'));
  const known = verb === 'status' || ((verb === 'rebuild' || verb === 'verify') && projection !== undefined);
  if (!known) {
    context.print(`${PROJECTIONS_USAGE}\nProjections: ${context.projections.map((each) => each.name).join(', ')}`);
    return 2;
  }
  await prepareReadModels(context.database, context.projections);
  const session = await ProjectionSession.open(context.database);
  try {
    if (projection === undefined) return await status(context, session);
    return await rebuild(context, session, projection, verb === 'rebuild');
  } finally {
    session.close();
  }
};
