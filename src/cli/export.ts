import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command } from 'commander';
import { type AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { identityWithId } from '../../projections/eligibility/identities.queries.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type ReadModels } from '../log/project/projection.js';
import { type ExportArchive } from '../reports/content/export-archive.js';
import { type AuditCommandContext, identityId, tenantId } from './audit-context.js';
import { recorded } from './command-line-acts.js';
import { type CommandLine, exampleOf, runCommandLine } from './command-line.js';
import { ExportProgress } from './export-progress.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

export interface ExportCommandContext extends Pick<AuditCommandContext, 'acts' | 'signal'> {
  readonly archive: ExportArchive;
  readonly accounts: Pick<AccountQueries, 'exists'>;
  readonly readModels: ReadModels;
  readonly store: Pick<EventStore, 'head'>;
}

interface Wanted extends Attribution {
  readonly tenant: TenantId;
  readonly identity?: string;
  readonly out: string;
  readonly reveal?: boolean;
}

/** How long the rows have to reach the end of the log, milliseconds. */
const WAIT_BUDGET_MS = 5_000;

const requireSubject = async ({ accounts, readModels }: ExportCommandContext, wanted: Wanted): Promise<void> => {
  const { tenant, identity } = wanted;
  if (!(await accounts.exists(tenant))) throw new StartupError(`there is no account ${tenant}`);
  if (identity !== undefined && (await identityWithId(readModels, tenant, identity)) === undefined)
    throw new StartupError(`the account ${tenant} has no identity ${identity}`);
};

const isCurrent = async ({ archive, readModels, store }: ExportCommandContext): Promise<boolean> => {
  const head = await store.head();
  if (head === undefined) return true;
  const waits = archive.readFrom().map((projection) => readModels.waitFor(projection, head, WAIT_BUDGET_MS));
  return (await Promise.all(waits)).every((reached) => reached);
};

const newFile = (path: string): Promise<FileHandle> =>
  open(path, 'wx', 0o600).catch((error: unknown) => {
    throw new StartupError(`${path} cannot be written: ${(error as Error).message}`);
  });

/** Without an end there is no file. */
const writeNew = async (path: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> => {
  const file = await newFile(path);
  try {
    await pipeline(Readable.from(content), file.createWriteStream(), { signal });
  } catch (error) {
    await rm(path, { force: true });
    if (signal.aborted) throw new StartupError(`interrupted: ${path} was not written`);
    throw error;
  }
};

const exportTo = async (
  context: ExportCommandContext,
  wanted: Wanted,
  print: (line: string) => void,
): Promise<number> => {
  const { tenant, identity = null, out } = wanted;
  await requireSubject(context, wanted);
  const current = await isCurrent(context);
  const progress = new ExportProgress();
  const content = context.archive.of({
    tenantId: tenant,
    documentId: newUuid(),
    request: { identityId: identity, requestedAt: new Date().toISOString() },
    name: () => Promise.resolve(),
    progress: (file, records) => progress.show(file, records),
  });
  try {
    await writeNew(out, content, context.signal);
  } finally {
    progress.stop();
  }
  for (const [file, records] of progress.counts()) print(`${file}: ${records} records`);
  print(`${out} is written. It holds personal data in the clear.`);
  if (!current) print('The rows stand behind the log: manifest.json says up to where. Is a service running?');
  return 0;
};

/** What the file holds is shown by no one's mistake. */
const REVEAL = [
  '--reveal',
  'agree that the file holds personal data in the clear; without it nothing is written',
] as const;
const OUT = ['--out <file>', 'the zip file to write; it must not exist'] as const;

const ACCOUNT_EXAMPLE = exampleOf('export -- account --tenant ID --out account.zip --reveal');
const PERSON_EXAMPLE = exampleOf('export -- person --tenant ID --identity idn_… --out person.zip --reveal');

/** Answers with the exit status. */
export const exportCommand = (words: readonly string[], line: CommandLine<ExportCommandContext>): Promise<number> =>
  runCommandLine('export', words, line, (command, choose) => {
    const write = (options: Wanted, chosen: Command): void => {
      if (options.reveal !== true) chosen.error("error: the file holds personal data in the clear: say '--reveal'");
      const { tenant: tenantId, identity } = options;
      const action = `export -- ${identity === undefined ? 'account' : 'person'} --reveal`;
      const act = { action, by: options, tenantId, target: { identity } };
      choose(recorded(act, (context) => exportTo(context, options, line.print)));
    };
    command
      .description(
        "What the service keeps of an account or of one person, as POST /api/v1/data-export gives it. Recorded in the operators' log.",
      )
      .addHelpText('after', ACCOUNT_EXAMPLE);
    command
      .command('account')
      .description('write all that is kept of an account')
      .requiredOption('--tenant <id>', 'the account', tenantId)
      .requiredOption(...OUT)
      .option(...REVEAL)
      .option(...OPERATOR)
      .option(...JUSTIFICATION)
      .addHelpText('after', ACCOUNT_EXAMPLE)
      .action(write);
    command
      .command('person')
      .description('write what an account keeps of one person')
      .requiredOption('--tenant <id>', 'the account', tenantId)
      .requiredOption('--identity <id>', 'the identity of the person', identityId)
      .requiredOption(...OUT)
      .option(...REVEAL)
      .option(...OPERATOR)
      .option(...JUSTIFICATION)
      .addHelpText('after', PERSON_EXAMPLE)
      .action(write);
  });
