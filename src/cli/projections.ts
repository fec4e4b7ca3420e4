import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type Checkpoint, readCheckpoint } from '../log/project/checkpoints.js';
import { readFailures, readSetAside, setAside } from '../log/project/failures.js';
import { type Projection } from '../log/project/projection.js';
import { prepareReadModels } from '../log/project/runner.js';
import { ProjectionSession } from '../platform/postgres/session.js';
import { columns } from './columns.js';
import { recorded } from './command-line-acts.js';
import { type CommandLine, exampleOf, runCommandLine, type Work } from './command-line.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';
import { type Comparison, comparisonToJson, isEqual } from '../log/project/comparison.js';
import { compareAll, describeComparison, type ProjectionsCommandContext } from './projection-comparison.js';
import {
  describeCourse,
  describeFinding,
  describeForeign,
  oldestFirst,
  findingToJson,
  type Shows,
  wasWrongAt,
} from '../log/project/findings.js';
import { type TableComparison } from '../log/project/compare.js';

export type { ProjectionsCommandContext } from './projection-comparison.js';

const SAMPLE_MS = 1_000;

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
  for (const { projection, version, position, stream, type, cause, failedAt } of await readFailures(session)) {
    const event = position === null ? 'an event' : `${type} at position ${position} of ${stream}`;
    print(`${projection} (${version}) stopped ${failedAt.toISOString()}: ${event} cannot be applied (${cause})`);
  }
  for (const { projection, version, position, stream, type, setAsideAt } of await readSetAside(session)) {
    const since = setAsideAt.toISOString();
    print(`${projection} (${version}) goes on without ${type} at position ${position} of ${stream}, since ${since}`);
  }
  return 0;
};

interface OutputOptions {
  readonly json?: boolean;
}

const sayAll = (comparisons: readonly Comparison[], { json }: OutputOptions, print: (line: string) => void): void => {
  if (json !== true) return;
  const compared = comparisons.map((comparison) => comparisonToJson(comparison));
  print(JSON.stringify({ equal: comparisons.every(isEqual), compared }, null, 2));
};

const verify = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
  outputOptions: OutputOptions,
): Promise<number> => {
  const comparisons: Comparison[] = [];
  await compareAll(context, session, projections, { outcome: 'discard' }, (comparison) => {
    comparisons.push(comparison);
    if (outputOptions.json !== true) for (const line of describeComparison(comparison)) context.print(line);
  });
  sayAll(comparisons, outputOptions, context.print);
  return comparisons.every(isEqual) ? 0 : 1;
};

const rebuild = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projections: readonly Projection[],
): Promise<number> => {
  await compareAll(context, session, projections, { outcome: 'swap' }, (comparison) => {
    for (const line of describeComparison(comparison)) context.print(line);
    context.print(`${comparison.projection.name}: the rebuilt rows are live.`);
  });
  return 0;
};

const leaveOut = async (
  { print }: ProjectionsCommandContext,
  session: ProjectionSession,
  { name }: Projection,
  at: bigint,
  operatorHash: string,
): Promise<number> => {
  const aside = await setAside(session, name, at, operatorHash);
  if (aside === undefined) {
    print(`${name} was not stopped at position ${at}: npm run projections -- status shows where.`);
    return 1;
  }
  print(`${name} goes on without ${aside.type} at position ${at}: what it shows of ${aside.stream} lacks this event.`);
  print('A version of the projection that can apply it does so when it makes the rows anew.');
  return 0;
};

const compareOne = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projection: Projection,
  shown: { readonly limit: number; readonly first?: string },
): Promise<Comparison> => {
  const comparisons: Comparison[] = [];
  await compareAll(context, session, [projection], { outcome: 'discard', shown }, (one) => comparisons.push(one));
  const [comparison] = comparisons;
  if (comparison === undefined) throw new Error(`${projection.name} was not compared`);
  return comparison;
};

interface DiffOptions extends OutputOptions, Shows {
  readonly at?: bigint;
  readonly limit: number;
}

/** By table, where only one side has them. */
const foreignIn = ({ report: { tables } }: Comparison): object =>
  Object.fromEntries(tables.flatMap(({ table, foreign }) => (foreign === undefined ? [] : [[table, foreign]])));

/** Rows that were wrong at a position, with the event behind each. Live rows exist at their present position alone. */
const diff = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projection: Projection,
  { at, limit, json, reveal }: DiffOptions,
): Promise<number> => {
  const comparison = await compareOne(context, session, projection, { limit });
  const { comparedAt } = comparison.report;
  const wrong = comparison.findings.filter((finding) => at === undefined || wasWrongAt(finding, at));
  const findings = oldestFirst(wrong);
  const requestedPosition = at === undefined || comparedAt === undefined || at >= comparedAt ? undefined : at;
  if (json === true) {
    const findingsJson = findings.map((finding) => findingToJson(finding, { reveal }));
    const place = {
      projection: projection.name,
      position: comparedAt?.toString() ?? null,
      at: requestedPosition?.toString() ?? null,
    };
    context.print(
      JSON.stringify({ ...place, foreign_columns: foreignIn(comparison), differences: findingsJson }, null, 2),
    );
  } else {
    const which =
      requestedPosition === undefined ? '' : `; shown are rows that were wrong at position ${requestedPosition}`;
    context.print(`${projection.name}: compared at position ${comparedAt ?? 'none'}${which}`);
    for (const { table, foreign } of comparison.report.tables)
      if (foreign !== undefined) context.print(`${table}: ${describeForeign(foreign)}`);
    for (const finding of findings) for (const line of describeFinding(finding, { reveal })) context.print(line);
    const total = comparison.report.tables.reduce((sum, { differing = 0 }) => sum + differing, 0);
    context.print(`${findings.length} shown of ${total} rows that differ`);
  }
  return findings.length === 0 && (requestedPosition !== undefined || isEqual(comparison)) ? 0 : 1;
};

/** Other rows that differ are looked at too, since they may show the event. */
const WITNESSES = 20;

/** What can be said of a row in which nothing was found. The status: 1 unless it is all that the log says. */
const describeUnfound = (
  row: string,
  { foreign, equal, differing }: TableComparison,
  position: bigint | undefined,
): readonly [status: number, text: string] => {
  if (!equal && differing === undefined)
    return [1, `${row} cannot be compared: ${foreign ? describeForeign(foreign) : 'there is no live table'}`];
  const right = `is as the log says at position ${position ?? 'none'}`;
  return foreign === undefined
    ? [0, `${row} ${right}`]
    : [1, `${row} ${right} in the columns that both have; ${describeForeign(foreign)}`];
};

/** The first position at which a row went wrong. */
const bisect = async (
  context: ProjectionsCommandContext,
  session: ProjectionSession,
  projection: Projection,
  [table, key]: readonly [string, string],
  { json, reveal }: OutputOptions & Shows,
): Promise<number> => {
  const comparison = await compareOne(context, session, projection, { limit: WITNESSES, first: key });
  const { comparedAt, tables } = comparison.report;
  const compared = tables.find((one) => one.table === table);
  if (compared === undefined) throw new Error(`${table} was not compared`);
  const same = (other: string): boolean => JSON.stringify(JSON.parse(other)) === key;
  const finding = comparison.findings.find(({ row }) => row.table === table && same(row.difference.key));
  const [status, unfound] = describeUnfound(`${table} ${key}`, compared, comparedAt);
  if (json === true) {
    const row = finding === undefined ? null : findingToJson(finding, { reveal });
    const place = { projection: projection.name, position: comparedAt?.toString() ?? null };
    const foreign = compared.foreign && { foreign_columns: compared.foreign };
    context.print(JSON.stringify({ ...place, equal: finding === undefined && status === 0, ...foreign, row }));
  } else if (finding === undefined) context.print(unfound);
  else for (const line of describeCourse(finding, { reveal })) context.print(line);
  return finding === undefined ? status : 1;
};

/** Those of the names; `all` represents every one. */
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

const position = (text: string): bigint => {
  if (/^\d{1,19}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('It takes a position of the log, as status and drift show it.');
};

const MAX_ROWS = 1_000;

const rowCount = (text: string): number => {
  const count = Number(text);
  if (/^\d{1,4}$/.test(text) && count >= 1 && count <= MAX_ROWS) return count;
  throw new InvalidArgumentError(`It takes a number from 1 to ${MAX_ROWS}.`);
};

/** A key of one column may be given as it is. */
const rowKey = (text: string): string => {
  if (!text.startsWith('[')) return JSON.stringify([text]);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    throw new InvalidArgumentError('It takes the key as verify and diff show it, a JSON array.');
  }
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
      await session.close();
    }
  };

/** Answers with the exit status: 1 where rows differ, 2 for what cannot be understood. */
export const projectionsCommand = (
  words: readonly string[],
  projections: readonly Projection[],
  line: CommandLine<ProjectionsCommandContext>,
): Promise<number> =>
  runCommandLine('projections', words, line, (command, choose) => {
    const names = `Projections: ${projections.map(({ name }) => name).join(', ')}`;
    const help = (words: string): string => `\n${names}\n${exampleOf(`projections -- ${words}`)}`;
    const session = (work: SessionWork): void => choose(withSession(projections, work));
    const one = (name: string, of: Command): Projection => {
      const [projection] = name === 'all' ? [] : named([name], projections, of);
      return projection ?? of.error('error: it takes the name of one projection');
    };
    command.description('The read models.').addHelpText('after', help('status'));
    command
      .command('status')
      .description('show position, lag and rate of every projection and of its rebuild, and what stopped one')
      .addHelpText('after', help('status'))
      .action(() => session((context, open) => status(context, open, projections)));
    const rebuilding = command
      .command('rebuild')
      .description('make the rows anew beside the live ones, compare them and swap')
      .argument('<name...>', 'names of projections, or all')
      .option(...OPERATOR)
      .option(...JUSTIFICATION)
      .addHelpText('after', help('rebuild ledger'))
      .action((given: readonly string[], by: Attribution) => {
        const chosen = named(given, projections, rebuilding);
        const target = { projections: chosen.map(({ name }) => name).join(', ') };
        const work = withSession(projections, (context, open) => rebuild(context, open, chosen));
        choose(recorded({ action: 'projections -- rebuild', by, target }, work));
      });
    const setting = command
      .command('set-aside')
      .description('let a stopped projection go on without the event that it cannot apply; its next version applies it')
      .argument('<name>', 'name of the projection')
      .argument('<position>', 'position of the event, as status shows it', position)
      .option(...OPERATOR)
      .requiredOption(...JUSTIFICATION)
      .addHelpText('after', help('set-aside ledger 184467 --justification "Release 2.1 mends it"'))
      .action((name: string, at: bigint, by: Attribution) => {
        const chosen = one(name, setting);
        const act = { action: 'projections -- set-aside', by, target: { projection: name, position: String(at) } };
        choose(
          recorded(act, (context, operatorHash) =>
            withSession(projections, (_, open) => leaveOut(context, open, chosen, at, operatorHash))(context),
          ),
        );
      });
    const verifying = command
      .command('verify')
      .description('make the rows anew beside the live ones and compare them; show the event behind each difference')
      .argument('[name...]', 'names of projections, or all')
      .option('--all', 'every projection')
      .option('--json', 'print one JSON document')
      .addHelpText('after', help('verify --all --json'))
      .action((given: readonly string[], options: OutputOptions & { readonly all?: boolean }) => {
        if (options.all !== true && given.length === 0) verifying.error('error: name projections, or --all');
        const chosen = options.all === true ? projections : named(given, projections, verifying);
        session((context, open) => verify(context, open, chosen, options));
      });
    const diffing = command
      .command('diff')
      .description('show the rows that differ, live against rebuilt value, and the event whose application differs')
      .argument('<name>', 'name of a projection')
      .option('--at <position>', 'only rows that were wrong at this position of the log already', position)
      .option('--limit <rows>', 'rows shown of each table', rowCount, 20)
      .option('--reveal', 'show long values whole: sealed fields and keyed hashes of persons')
      .option('--json', 'print one JSON document')
      .addHelpText('after', help('diff ledger --at 184467'))
      .action((name: string, options: DiffOptions) => {
        const chosen = one(name, diffing);
        session((context, open) => diff(context, open, chosen, options));
      });
    const bisecting = command
      .command('bisect')
      .description('show the first position at which a row went wrong')
      .argument('<name>', 'name of a projection')
      .argument('<table>', 'one of its tables')
      .argument('<key>', 'key of the row, as verify and diff show it', rowKey)
      .option('--reveal', 'show long values whole: sealed fields and keyed hashes of persons')
      .option('--json', 'print one JSON document')
      .addHelpText('after', help(`bisect ledger balances '["t01..."]'`))
      .action((name: string, table: string, key: string, options: OutputOptions & Shows) => {
        const chosen = one(name, bisecting);
        if (!chosen.tables.includes(table))
          bisecting.error(`error: ${chosen.name} has no table ${table}; its tables: ${chosen.tables.join(', ')}`);
        session((context, open) => bisect(context, open, chosen, [table, key], options));
      });
  });
