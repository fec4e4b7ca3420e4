import { type Command, InvalidArgumentError, Option } from 'commander';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { byList, kindOf, KNOWN_LISTS } from '../screening/domain/known-lists.js';
import {
  LIST_ID,
  type ListDelta,
  type ListId,
  SCREENING_KINDS,
  type ScreeningKind,
} from '../screening/domain/screening-list.js';
import { deltaBetween, digestsOf } from '../screening/domain/list-entry.js';
import { type Acceptance, type Accepting, type OperatorDecision } from '../screening/lists/accepting.js';
import { gzipped, type ListStore } from '../screening/lists/list-store.js';
import { readList } from '../screening/lists/readers/read-list.js';
import { isoDay } from '../screening/lists/readers/dates.js';
import { type SourceFile } from '../screening/lists/readers/source.js';
import { type Refreshing, refusalOf } from '../screening/lists/refreshing.js';
import { recorded, type Recording } from './command-line-acts.js';
import { type CommandLine, exampleOf, runCommandLine } from './command-line.js';
import { type Attribution, JUSTIFICATION, OPEN_JUSTIFICATION, OPERATOR } from './operator.js';
import { type ReplayDecision } from './screening-replay.js';

export interface ScreeningCommandContext extends Recording {
  readonly accepting: Accepting;
  readonly refreshing: Refreshing;
  readonly store: ListStore;
  readonly replay: ReplayDecision;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
}

const REFUSED = 1;

/** Does the work for a list, and says why the version in force stays where it does. */
const attempt = async (
  list: ListId,
  print: (line: string) => void,
  work: () => Promise<void>,
  onRefusal: (reason: string) => Promise<void> = () => Promise.resolve(),
): Promise<number> => {
  try {
    await work();
    return 0;
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    await onRefusal(reason);
    print(`${list}: REFUSED. ${reason.replace(/\.$/, '')}. The version in force stays.`);
    return REFUSED;
  }
};

const decisionBy = (operatorHash: string, { justification }: Attribution): OperatorDecision => ({
  operatorHash,
  justification: justification ?? null,
});

const summary = ({ added, removed, changed }: ListDelta): string =>
  `${added.length} added, ${removed.length} removed, ${changed.length} changed`;

const describeAcceptance = (list: ListId, { version, entries, delta, isNew }: Acceptance): string =>
  isNew
    ? `${list}: ${version} is in force, ${entries} entries (${summary(delta)}).`
    : `${list}: ${version} is in force already (${entries} entries).`;

interface RefreshOptions extends Attribution {
  readonly accept?: boolean;
}

const refresh = async (
  { refreshing, print }: ScreeningCommandContext,
  wanted: ListId | undefined,
  accept: boolean,
  decision: OperatorDecision,
): Promise<number> => {
  const { publishers } = refreshing;
  let status = 0;
  for (const list of wanted === undefined ? publishers.keys() : [wanted]) {
    const publisher = publishers.get(list);
    if (publisher !== undefined) print(`${list}: asking ${new URL(publisher.url).host} …`);
    const one = await attempt(list, print, async () => {
      const refreshed = await refreshing.refresh(list, accept, decision);
      print(refreshed.unchanged ? `${list}: nothing has changed.` : describeAcceptance(list, refreshed.acceptance));
    });
    status = Math.max(status, one);
  }
  return status;
};

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const fileOf = async (path: string): Promise<SourceFile> => {
  const bytes = await readFile(path);
  return gzipped(
    basename(path).replace(/\.gz$/, ''),
    isGzip(bytes) ? Readable.from([bytes]).pipe(createGunzip()) : [bytes],
  );
};

interface ImportOptions extends RefreshOptions {
  readonly published?: string;
  readonly format?: 'ftm';
  readonly kind?: ScreeningKind;
  readonly justification: string;
}

/** Why the words do not fit the list; undefined where they do. */
const mistakeIn = (list: ListId, { format, kind }: ImportOptions): string | undefined => {
  if (KNOWN_LISTS.has(list))
    return format === undefined && kind === undefined ? undefined : `the format and the kind of ${list} are known`;
  return format === undefined
    ? `${list} is none of ${[...KNOWN_LISTS.keys()].join(', ')}: a list of your own takes --format ftm`
    : undefined;
};

const importFiles = async (
  { accepting, store, print }: ScreeningCommandContext,
  list: ListId,
  paths: readonly string[],
  { published, kind, accept = false }: ImportOptions,
  decision: OperatorDecision,
): Promise<number> => {
  const files = await Promise.all(paths.map(fileOf));
  print(`${list}: reading ${files.map(({ name }) => name).join(', ')} …`);
  return attempt(
    list,
    print,
    async () => {
      const publishedOn = published ?? null;
      const candidate = {
        list,
        kind: kindOf(list, kind),
        files,
        publishedOn,
        origin: 'import',
        accept,
        decision,
      } as const;
      const acceptance = await accepting.accept(candidate);
      await store.answered(list, { etag: null, lastModified: null, refused: null });
      print(describeAcceptance(list, acceptance));
    },
    (reason) => store.refused(list, reason),
  );
};

const columns = (cells: readonly string[]): string =>
  cells.map((cell, index) => cell.padEnd([22, 30, 10, 14, 26][index] ?? 0)).join('');

const status = async ({ accepting, store, print }: ScreeningCommandContext): Promise<number> => {
  const [versions, answers] = [await accepting.inForce(), await store.lastAnswers()];
  print(columns(['list', 'version', 'entries', 'unread dates', 'last fetched or imported', 'last refusal']));
  for (const list of [...new Set([...KNOWN_LISTS.keys(), ...versions.keys()])].sort(byList)) {
    const [version, answer] = [versions.get(list), answers.get(list)];
    const fetched = answer === undefined || answer.answeredAt.getTime() === 0 ? '-' : answer.answeredAt.toISOString();
    const figures = [version?.entries ?? 0, version?.unreadDates ?? 0].map(String);
    print(columns([list, version?.version ?? '-', ...figures, fetched, answer?.refused ?? '-']));
  }
  return 0;
};

const diff = async (
  { accepting, store, print }: ScreeningCommandContext,
  list: ListId,
  from: string | undefined,
  to: string | undefined,
): Promise<number> => {
  const present = (await accepting.inForce()).get(list);
  const [before, after] = [from ?? present?.replaces ?? undefined, to ?? present?.version];
  if (before === undefined || after === undefined) {
    print(`${list} has no two versions to compare.`);
    return REFUSED;
  }
  const [old, new_] = await Promise.all([before, after].map((version) => store.kept(list, version)));
  if (old === undefined || new_ === undefined) {
    print(`The files of ${old === undefined ? before : after} are not kept.`);
    return REFUSED;
  }
  const [earlier, later] = await Promise.all(
    [old, new_].map(async ({ kind, files }) => (await readList(list, kind, files)).entries),
  );
  const delta = deltaBetween(digestsOf(earlier ?? []), digestsOf(later ?? []));
  const names = new Map([...(earlier ?? []), ...(later ?? [])].map(({ id, names: [name] }) => [id, name?.text ?? '']));
  for (const kind of ['added', 'removed', 'changed'] as const) {
    for (const id of delta[kind]) print(`${kind.padEnd(8)} ${id.padEnd(16)} ${names.get(id) ?? ''}`);
  }
  print(`${list} ${before} → ${after}: ${summary(delta)}.`);
  return 0;
};

interface ReplayOptions extends Attribution {
  readonly decision: string;
  readonly reveal?: boolean;
}

const replayDecision = async (
  { replay, print }: ScreeningCommandContext,
  decisionId: string,
  { reveal = false, ...by }: ReplayOptions,
): Promise<number> => {
  const replayed = await replay(decisionId, reveal, by);
  print(replayed === undefined ? `There is no decision ${decisionId}.` : JSON.stringify(replayed, null, 2));
  return replayed === undefined ? REFUSED : 0;
};

/** For the help. */
const LISTS = `one of ${[...KNOWN_LISTS.keys()].join(', ')}, or the id of a list of your own`;

const listId = (text: string): ListId => {
  const list = text.toUpperCase();
  if (LIST_ID.test(list)) return list;
  throw new InvalidArgumentError(`It takes ${LISTS}: 3 to 32 letters, digits and _.`);
};

const day = (text: string): string => {
  const found = isoDay(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError('It takes a day, YYYY-MM-DD.');
};

const ACCEPT = ['--accept', 'take it whatever its size, its changes and its date; this is recorded'] as const;

/** Answers with the exit status. */
export const screeningCommand = (
  words: readonly string[],
  line: CommandLine<ScreeningCommandContext>,
): Promise<number> =>
  runCommandLine('screening', words, line, (command, choose) => {
    command
      .description('The lists that names are screened against.')
      .addHelpText('after', exampleOf('screening -- status'));
    command
      .command('status')
      .description('show the version in force of each list, its age and what was refused last')
      .action(() => choose(status));
    command
      .command('refresh')
      .description('download lists from their publishers')
      .argument('[list]', `${LISTS} (default: all that are downloaded here)`, listId)
      .option(...ACCEPT)
      .option(...OPEN_JUSTIFICATION)
      .option(...OPERATOR)
      .addHelpText('after', exampleOf('screening -- refresh UN_SECURITY_COUNCIL'))
      .action((list: ListId | undefined, options: RefreshOptions, chosen: Command) => {
        const { accept = false, justification } = options;
        if (accept && justification === undefined) chosen.error('error: --accept takes --justification <text>, too');
        const act = { action: 'screening -- refresh', by: options, target: { list } };
        choose(
          recorded(act, (context, operatorHash) => refresh(context, list, accept, decisionBy(operatorHash, options))),
        );
      });
    command
      .command('import')
      .description('take a list from files, which may be gzipped')
      .argument('<list>', LISTS, listId)
      .argument(
        '<files...>',
        'all files of the list: for OFAC sdn.csv, alt.csv, add.csv, sdn_comments.csv, or sdn.xml, or sdn_advanced.xml; deltas behind them',
      )
      .addOption(new Option('--format <format>', 'of a list of your own: lines of FollowTheMoney').choices(['ftm']))
      .addOption(new Option('--kind <kind>', 'of a list of your own (default: sanctions)').choices(SCREENING_KINDS))
      .option('--published <day>', 'the publisher’s date, for files that do not say it', day)
      .option(...ACCEPT)
      .requiredOption(...OPEN_JUSTIFICATION)
      .option(...OPERATOR)
      .addHelpText(
        'after',
        exampleOf('screening -- import UN_SECURITY_COUNCIL consolidated.xml --justification "No download from here"'),
      )
      .action((list: ListId, paths: readonly string[], options: ImportOptions, chosen: Command) => {
        const missing = paths.find((path) => !existsSync(path));
        const mistake = missing === undefined ? mistakeIn(list, options) : `there is no file ${missing}`;
        if (mistake !== undefined) chosen.error(`error: ${mistake}`);
        choose(
          recorded({ action: 'screening -- import', by: options, target: { list } }, (context, operatorHash) =>
            importFiles(context, list, paths, options, decisionBy(operatorHash, options)),
          ),
        );
      });
    command
      .command('replay')
      .description('show a decision beside what the lists of then and of now say; recorded in the operators’ log')
      .requiredOption('--decision <id>', 'the decision_id of a check')
      .option('--reveal', 'show names too')
      .addHelpText('after', exampleOf('screening -- replay --decision 3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a'))
      .option(...OPERATOR)
      .option(...JUSTIFICATION)
      .action((options: ReplayOptions) => choose((context) => replayDecision(context, options.decision, options)));
    command
      .command('diff')
      .description('show what really differs between two versions')
      .argument('<list>', LISTS, listId)
      .argument('[from]', 'a version (default: the one before)')
      .argument('[to]', 'a version (default: the one in force)')
      .addHelpText('after', exampleOf('screening -- diff UN_SECURITY_COUNCIL'))
      .action((list: ListId, from: string | undefined, to: string | undefined) =>
        choose((context) => diff(context, list, from, to)),
      );
  });
