import { setTimeout as sleep } from 'node:timers/promises';
import { type Command } from 'commander';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Checkpoint, declareNewest, readCheckpoint } from '../platform/projections/checkpoints.js';
import { type TableComparison } from '../platform/projections/compare.js';
import { type Projection } from '../platform/projections/projection.js';
import {
  Rebuild,
  type RebuildProgress,
  type RebuildReport,
  type RebuildStage,
} from '../platform/projections/rebuild.js';
import { prepareReadModels } from '../platform/projections/runner.js';
import { ProjectionSession } from '../platform/projections/session.js';
import { type CommandLine, exampleOf, runCommandLine, type Work } from './command-line.js';
import { RebuildBar } from './rebuild-bar.js';

export interface ProjectionsCommandContext {
  readonly store: EventStore;
  /** A connection string of Postgres. */
  readonly database: string;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
  /** Interrupts a rebuild, which leaves the live rows as they are. */
  readonly signal: AbortSignal;
}

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
const status = async (
  { store, print }: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
): Promise<number> => {
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
    const code = checkpoint?.version === projection.version ? 'this version' : 'another';
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

interface NamedRebuild {
  readonly projection: Projection;
  readonly rebuild: Rebuild;
}

const beginAll = async (
  { store, signal }: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
  bar: RebuildBar,
): Promise<NamedRebuild[]> => {
  const read = new Map<Projection, number>();
  const works: NamedRebuild[] = [];
  for (const projection of projections) {
    const onProgress = (progress: RebuildProgress): void => {
      read.set(projection, progress.events);
      bar.show({ ...progress, events: [...read.values()].reduce((sum, events) => sum + events, 0) });
    };
    const onStage = (stage: RebuildStage): void => bar.showStage(projection.name, stage);
    const options = { session, store, projection, signal, onProgress, onStage };
    works.push({ projection, rebuild: await Rebuild.begin(options) });
  }
  return works;
};

const finish = async (
  { print }: ProjectionsCommandContext,
  session: ProjectionSession,
  { projection, rebuild: work }: NamedRebuild,
  swap: boolean,
  bar: RebuildBar,
): Promise<boolean> => {
  const report = await work.compareWithLive();
  if (swap) {
    await declareNewest(session, projection);
    await work.swap();
  } else await work.discard();
  bar.stop();
  const equal = printReport(report, print);
  if (swap) print(`${projection.name}: the rebuilt rows are live.`);
  return equal;
};

/** Several read the log once, and are compared and swapped one after the other. */
const rebuild = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
  swap: boolean,
): Promise<number> => {
  const bar = new RebuildBar(projections.map(({ name }) => name).join(', '));
  try {
    const works = await beginAll(context, session, projections, bar);
    if (works.length > 1) await Rebuild.readTogether(works.map((work) => work.rebuild));
    let equal = true;
    for (const work of works) equal = (await finish(context, session, work, swap, bar)) && equal;
    return equal || swap ? 0 : 1;
  } finally {
    bar.stop();
  }
};

/** Those of the names; `all` stands for every one. */
const named = (
  names: readonly string[],
  projections: readonly Projection[],
  command: Command,
): readonly Projection[] => {
  if (names.length === 1 && names[0] === 'all') return projections;
  const wanted = names.map((name) => name.replaceAll('-', '_'));
  const unknown = names.find((_, index) => !projections.some(({ name }) => name === wanted[index]));
  if (unknown === undefined) return projections.filter(({ name }) => wanted.includes(name));
  return command.error(`error: there is no projection ${unknown}`);
};

type SessionWork = (context: ProjectionsCommandContext, session: ProjectionSession) => Promise<number>;

const withSession =
  (projections: readonly Projection[], work: SessionWork): Work<ProjectionsCommandContext> =>
  async (context) => {
    await prepareReadModels(context.database, projections);
    const session = await ProjectionSession.open(context.database);
    try {
      return await work(context, session);
    } finally {
      session.close();
    }
  };

/** Answers with the exit status: 1 where `verify` finds a difference, 2 for what cannot be understood. */
export const projectionsCommand = (
  words: readonly string[],
  projections: readonly Projection[],
  line: CommandLine<ProjectionsCommandContext>,
): Promise<number> =>
  runCommandLine('projections', words, line, (command, choose) => {
    const names = `Projections: ${projections.map(({ name }) => name).join(', ')}`;
    const add = (name: string, description: string, swap: boolean): void => {
      const added = command
        .command(name)
        .description(description)
        .argument('<name...>', 'names of projections, or all')
        .addHelpText('after', `\n${names}\n${exampleOf(`projections -- ${name} ledger`)}`);
      added.action((given: readonly string[]) => {
        const chosen = named(given, projections, added);
        choose(withSession(projections, (context, session) => rebuild(context, session, chosen, swap)));
      });
    };
    command.description('The read models.').addHelpText('after', `\n${names}\n${exampleOf('projections -- status')}`);
    command
      .command('status')
      .description('show position, lag and rate of every projection and of its rebuild')
      .addHelpText('after', exampleOf('projections -- status'))
      .action(() => choose(withSession(projections, (context, session) => status(context, session, projections))));
    add('rebuild', 'make the rows anew beside the live ones, compare them and swap', true);
    add('verify', 'make the rows anew beside the live ones and compare them', false);
  });
