import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { parseVerifierKey, type VerifierKey } from '@kyc/log-proofs/checkpoint';
import { ProofError, verifyProof } from '@kyc/log-proofs/proof-file';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type CategoryRegistry } from '../kernel/category-registry.js';
import { isTenantId } from '../kernel/ids.js';
import { dayOf, instantOf } from '../platform/http/time.js';
import { type KeyedHashes } from '../platform/crypto/vault.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Queryable } from '../platform/postgres/database.js';
import { verifyStoredLog } from '../proofs/log-verification.js';
import {
  CSV_HEADER,
  formatLine,
  REPLAY_FORMATS,
  type ReplayFilter,
  type ReplayFormat,
  replayLine,
  ReplaySelection,
} from '../proofs/replay.js';
import { exampleOf, runCommandLine, type Work } from './command-line.js';

export interface AuditCommandContext {
  readonly store: EventStore;
  readonly database: Queryable;
  readonly hashes: Pick<KeyedHashes, 'leafSalt'>;
  readonly categories: CategoryRegistry;
  /** Aborts when the operator interrupts. */
  readonly signal: AbortSignal;
  /** Verifier keys of this deployment, as text. */
  readonly verifierKeys: () => Promise<readonly string[]>;
}

export interface AuditLine {
  readonly print: (line: string) => void;
  /** Opens the deployment's stores. */
  readonly open: (work: Work<AuditCommandContext>) => Promise<number>;
}

const read = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartupError(`${file} cannot be read: ${(error as Error).message}`);
  });

const json = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new StartupError(`${file} is not JSON`);
  }
};

/** From the answer of /transparency/keys. */
const keysIn = (file: string, text: string): readonly string[] => {
  const { keys } = json(file, text) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string'))
    throw new StartupError(`${file} takes what /transparency/keys answers: {"keys": ["<name>+<id>+<key>"]}`);
  return keys as readonly string[];
};

const parsed = (keys: readonly string[]): readonly VerifierKey[] => keys.map(parseVerifierKey);

const printProven = (file: string, text: string, keys: readonly string[], print: AuditLine['print']): number => {
  const content = json(file, text) as { readonly proof?: unknown } | null;
  try {
    const { event, index, origin, size } = verifyProof(content?.proof ?? content, parsed(keys));
    print(`Proven: ${event.type} ${event.id} (${event.stream} at ${event.revision}) is leaf ${index} of ${origin},`);
    print(`which held ${size} events when it was signed.`);
    return 0;
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    print(`NOT PROVEN: ${error.message}`);
    return 1;
  }
};

const verifyLogOf = async (
  { store, database, hashes, verifierKeys }: AuditCommandContext,
  against: string | undefined,
  print: AuditLine['print'],
): Promise<number> => {
  const keys = parsed(await verifierKeys());
  const verdict = await verifyStoredLog({ store, database, hashes, keys, against });
  if (verdict === undefined) {
    print('Nothing was signed yet: the tree of the log begins once a service with the role jobs runs.');
    return 1;
  }
  const { origin, leaves, checkpoints, purged, finding, unsigned } = verdict;
  print(`${origin}: ${leaves} events as recorded, ${checkpoints} signed checkpoints`);
  for (const [eventId, count] of purged) print(`purged by event ${eventId}: ${count}`);
  for (const problem of unsigned) print(`NOT SIGNED: ${problem}`);
  if (finding !== undefined) print(`${finding.kind.toUpperCase()} at leaf ${finding.index}: ${finding.detail}`);
  if (finding !== undefined || unsigned.length > 0) return 1;
  print('The log is what was signed.');
  return 0;
};

interface ReplayOptions extends Omit<ReplayFilter, 'from' | 'to'> {
  readonly from?: Date;
  readonly to?: Date;
  readonly format: ReplayFormat;
  readonly follow?: true;
}

/** Reads the log itself, no table. */
const replay = async (
  { store, categories, signal }: AuditCommandContext,
  { format, follow, ...filter }: ReplayOptions,
  print: AuditLine['print'],
): Promise<number> => {
  const selection = new ReplaySelection(filter);
  const end = new AbortController();
  const streamPrefixes = categories.categories.map(({ name }) => name);
  if (format === 'csv') print(CSV_HEADER);
  const until = AbortSignal.any([signal, end.signal]);
  for await (const delivery of store.subscribeToAll({ streamPrefixes, signal: until })) {
    if (delivery.kind === 'caught_up' && follow !== true) break;
    if (delivery.kind === 'event' && selection.takes(delivery.event))
      print(formatLine(replayLine(delivery.event, categories), format));
  }
  end.abort();
  return 0;
};

const moment = (text: string): Date => {
  const parsed = dayOf(text) ?? instantOf(text);
  if (parsed === undefined)
    throw new InvalidArgumentError('It takes a date, YYYY-MM-DD, or an ISO 8601 timestamp with offset.');
  return parsed;
};

const tenantId = (text: string): string => {
  if (isTenantId(text)) return text;
  throw new InvalidArgumentError('It takes the id of an account: t and 26 characters.');
};

/** A proof is verified without any store where its keys are given. */
export const auditCommand = async (words: readonly string[], { print, open }: AuditLine): Promise<number> => {
  let offline: (() => Promise<number>) | undefined;
  const opening = (work: Work<AuditCommandContext>): Promise<number> =>
    offline === undefined ? open(work) : offline();
  return runCommandLine<AuditCommandContext>('audit', words, { print, open: opening }, (command, choose) => {
    command.description('What proves the log.').addHelpText('after', exampleOf('audit -- verify-log'));
    command
      .command('verify-proof')
      .description('verify a proof file, or an answer of /api/v1/proofs')
      .argument('<file>', 'the proof, JSON')
      .option('--keys <file>', "the answer of /transparency/keys, kept; default: this deployment's keys")
      .addHelpText('after', exampleOf('audit -- verify-proof proof.json --keys keys.json'))
      .action((file: string, { keys }: { keys?: string }) => {
        if (keys !== undefined)
          offline = async () => printProven(file, await read(file), keysIn(keys, await read(keys)), print);
        choose(async ({ verifierKeys }) => printProven(file, await read(file), await verifierKeys(), print));
      });
    command
      .command('replay')
      .description('print what happened, from the log itself, in its order')
      .option('--tenant <id>', 'of this account', tenantId)
      .option('--from <time>', 'from then on', moment)
      .option('--to <time>', 'before then', moment)
      .option('--actor <id>', 'by this actor, as events name it')
      .option('--request <id>', 'everything that this request caused')
      .option('--identity <id>', 'everything that names this identity')
      .option('--identity-hash <hash>', 'everything that names this hash outside of sealed fields')
      .option('--action <action>', 'of this action of the audit log')
      .addOption(new Option('--format <format>', 'of the lines').choices(REPLAY_FORMATS).default('text'))
      .option('--follow', 'go on with what happens now, until it is interrupted')
      .addHelpText('after', exampleOf('audit -- replay --tenant t0000000000000000000000dem0 --format json'))
      .action((options: ReplayOptions) => {
        choose((context) => replay(context, options, print));
      });
    command
      .command('verify-log')
      .description('compare every event with what was signed, and name the first that differs')
      .option('--against <file>', 'a checkpoint that was kept outside (the text of /transparency/checkpoint)')
      .addHelpText('after', exampleOf('audit -- verify-log --against checkpoint.txt'))
      .action(({ against }: { against?: string }) => {
        choose(async (context) => verifyLogOf(context, against === undefined ? undefined : await read(against), print));
      });
  });
};
