import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command } from 'commander';
import { ZipFile } from 'yazl';
import { BUNDLE } from '@kyc/log-proofs/bundle';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type TenantId } from '../kernel/ids.js';
import { writeEvidence } from '../proofs/evidence.js';
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

const zip = async (folder: string, out: string): Promise<void> => {
  const archive = new ZipFile();
  const failed = new Promise<never>((_resolve, reject) => archive.on('error', reject));
  for (const name of Object.values(BUNDLE)) archive.addFile(join(folder, name), name);
  archive.end();
  const file = createWriteStream(out, { flags: 'wx', mode: 0o600 });
  await Promise.race([pipeline(archive.outputStream, file), failed]);
};

const bundle = async (context: AuditCommandContext, options: BundleOptions, print: Print): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'kyc-evidence-'));
  try {
    const counts = await writeEvidence(context, options, folder);
    if (counts === undefined) {
      print('Nothing was signed yet: the tree of the log begins once a service with the role jobs runs.');
      return 1;
    }
    await zip(folder, options.out).catch((error: unknown) => {
      throw new StartupError(`${options.out} cannot be written: ${(error as Error).message}`);
    });
    const { events, size, unsigned } = counts;
    print(`${options.out}: ${events} events, proven under the checkpoint of ${size} events.`);
    if (unsigned > 0) print(`${unsigned} events of the period are not signed yet and are left out: try in a minute.`);
    return 0;
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
    .requiredOption('--out <file>', 'the zip file to write; it must not exist')
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .addHelpText('after', exampleOf('audit -- bundle --tenant ID --from 2026-11-01 --to 2026-11-30 --out evidence.zip'))
    .action((options: BundleOptions) => {
      const { tenant: tenantId, from, to } = options;
      const target = { from: from.toISOString(), to: to.toISOString() };
      const act = { action: 'audit -- bundle', by: options, tenantId, target };
      choose(recorded(act, (context) => bundle(context, options, print)));
    });
};
