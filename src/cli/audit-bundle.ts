import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { ZipFile } from 'yazl';
import { BUNDLE } from '@kyc/log-proofs/bundle';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { systemClock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { NoEvidence, writeEvidence } from '../proofs/evidence.js';
import { type AuditCommandContext, endMoment, type Print, startMoment, tenantId } from './audit-context.js';
import { recorded } from './command-line-acts.js';
import { exampleOf, type Work } from './command-line.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

interface BundleOptions extends Attribution {
  readonly tenant: TenantId;
  readonly from: Date;
  readonly to: Date;
  readonly out: string;
}

const newFile = (path: string): string => {
  if (path.trim() === '' || existsSync(path))
    throw new InvalidArgumentError('It takes a file that does not exist yet.');
  if (!existsSync(dirname(path))) throw new InvalidArgumentError(`There is no folder ${dirname(path)}.`);
  return path;
};

const zip = async (folder: string, out: string): Promise<void> => {
  const archive = new ZipFile();
  const failed = new Promise<never>((_resolve, reject) => archive.on('error', reject));
  for (const name of Object.values(BUNDLE)) archive.addFile(join(folder, name), name);
  archive.end();
  const file = createWriteStream(out, { flags: 'wx', mode: 0o600 });
  await Promise.race([pipeline(archive.outputStream, file), failed]);
};

const bundle = async (
  { signal, ...context }: AuditCommandContext,
  options: BundleOptions,
  print: Print,
): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-evidence-'));
  try {
    const { events, size } = await writeEvidence({ ...context, clock: systemClock }, { ...options, signal }, folder);
    await zip(folder, options.out).catch((error: unknown) => {
      throw new StartupError(`${options.out} cannot be written: ${(error as Error).message}`);
    });
    print(`${options.out}: ${events} events, proven under the checkpoint of ${size} events.`);
    return 0;
  } catch (error) {
    if (!(error instanceof NoEvidence)) throw error;
    print(`${error.message} Nothing is written.`);
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const defineBundle = (
  command: Command,
  print: Print,
  choose: (work: Work<AuditCommandContext>) => void,
): void => {
  command
    .command('bundle')
    .description("write an account's events of a period with their proofs, for somebody who verifies them without us")
    .requiredOption('--tenant <id>', 'the account', tenantId)
    .requiredOption('--from <time>', 'from then on', startMoment)
    .requiredOption('--to <time>', 'before then; a bare date is a whole UTC day', endMoment)
    .requiredOption('--out <file>', 'the zip file to write; it must not exist', newFile)
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .addHelpText('after', exampleOf('audit -- bundle --tenant ID --from 2026-11-01 --to 2026-11-30 --out evidence.zip'))
    .action((options: BundleOptions) => {
      const { tenant: tenantId, from, to } = options;
      if (from >= to) command.error('error: --from must be before --to');
      const target = { from: from.toISOString(), to: to.toISOString() };
      const act = { action: 'audit -- bundle', by: options, tenantId, target };
      choose(recorded(act, (context) => bundle(context, options, print)));
    });
};
