import { readFile } from 'node:fs/promises';
import { type Command } from 'commander';
import { parseVerifierKey, type VerifierKey } from '@kyc/log-proofs/checkpoint';
import { ProofError } from '@kyc/log-proofs/proof-file';
import { describeProven, verifyAnswer } from '@kyc/log-proofs/proven-answer';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { verifyStoredLog } from '../proofs/log-verification.js';
import { type AuditCommandContext, type Print } from './audit-context.js';
import { exampleOf, type Work } from './command-line.js';

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
  const { keys } = (json(file, text) ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string'))
    throw new StartupError(`${file} takes what /transparency/keys answers: {"keys": ["<name>+<id>+<key>"]}`);
  return keys as readonly string[];
};

const parsed = (keys: readonly string[]): readonly VerifierKey[] => keys.map(parseVerifierKey);

const printProven = (file: string, text: string, keys: readonly string[], print: Print): number => {
  const content = json(file, text);
  try {
    for (const line of describeProven(verifyAnswer(content, parsed(keys)))) print(line);
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
  print: Print,
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

/** A proof is verified without any store where its keys are given; then `offline` takes the work. */
export const defineVerifying = (
  command: Command,
  print: Print,
  choose: (work: Work<AuditCommandContext>) => void,
  offline: (work: () => Promise<number>) => void,
): void => {
  command
    .command('verify-proof')
    .description('verify a proof file, or an answer that holds one: of /api/v1/proofs, an audit entry, a transaction')
    .argument('<file>', 'the proof, JSON')
    .option('--keys <file>', "the answer of /transparency/keys, kept; default: this deployment's keys")
    .addHelpText('after', exampleOf('audit -- verify-proof proof.json --keys keys.json'))
    .action((file: string, { keys }: { keys?: string }) => {
      if (keys !== undefined)
        offline(async () => printProven(file, await read(file), keysIn(keys, await read(keys)), print));
      choose(async ({ verifierKeys }) => printProven(file, await read(file), await verifierKeys(), print));
    });
  command
    .command('verify-log')
    .description('compare every event with what was signed, and name the first that differs')
    .option('--against <file>', 'a checkpoint that was kept outside (the text of /transparency/checkpoint)')
    .addHelpText('after', exampleOf('audit -- verify-log --against checkpoint.txt'))
    .action(({ against }: { against?: string }) => {
      choose(async (context) => verifyLogOf(context, against === undefined ? undefined : await read(against), print));
    });
};
