import { type Command, InvalidArgumentError } from 'commander';
import { BACKUP_DAYS, existingBackups, noteBackupGone, registerBackup } from '../platform/postgres/backups.js';
import { startMoment } from './audit-context.js';
import { recorded } from './command-line-acts.js';
import { exampleOf, type Work } from './command-line.js';
import { type KeysCommandContext } from './keys-context.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

type Context = Pick<KeysCommandContext, 'database' | 'print'>;

/** Says which back-ups exist, and answers 1 where one is beyond its time: no erasure before its end is complete. */
export const showBackups = async ({ database, print }: Context): Promise<number> => {
  const now = new Date();
  const backups = await existingBackups(database);
  for (const { name, takenAt, goneBy } of backups)
    print(`${name}: of ${takenAt.toISOString()}, holds log and Postgres, must be gone by ${goneBy.toISOString()}`);
  const overdue = backups.filter(({ goneBy }) => goneBy < now);
  for (const { name, goneBy } of overdue)
    print(
      `No erasure is complete while ${name} exists: it should have gone by ${goneBy.toISOString()}. Delete it, then: npm run keys -- backups gone ${name}`,
    );
  if (overdue.length > 0) return 1;
  print(
    `${backups.length} back-ups are registered, none beyond ${BACKUP_DAYS} days: what was erased before the oldest is in none`,
  );
  return 0;
};

const nameOf = (text: string): string => {
  if (/^[\w.:-]{1,200}$/.test(text)) return text;
  throw new InvalidArgumentError('It takes up to 200 letters, digits and any of . : _ -');
};

const gone =
  (name: string) =>
  async ({ database, print }: Context): Promise<number> => {
    const isNoted = await noteBackupGone(database, name, new Date());
    print(isNoted ? `${name} is gone` : `there is no back-up ${name} that exists`);
    return isNoted ? 0 : 1;
  };

const register =
  (name: string, takenAt: Date) =>
  async ({ database, print }: Context): Promise<number> => {
    if (takenAt > new Date()) {
      print(`--taken is in the future: ${takenAt.toISOString()}`);
      return 1;
    }
    const isRegistered = await registerBackup(database, name, takenAt);
    print(isRegistered ? `${name} is registered` : `${name} exists, taken at another time: choose another name`);
    return isRegistered ? 0 : 1;
  };

export const addBackups = (command: Command, choose: (work: Work<KeysCommandContext>) => void): void => {
  const backups = command.command('backups').description('back-ups that exist, and whether erasures hold in them');
  backups
    .command('show', { isDefault: true })
    .description('list them; status 1 where one is beyond its 90 days')
    .addHelpText('after', exampleOf('keys -- backups'))
    .action(() => choose(showBackups));
  backups
    .command('register')
    .description('note a back-up that another program made; deploy/backup/backup.sh notes its own')
    .argument('<name>', 'its name', nameOf)
    .requiredOption('--taken <time>', 'when it was made: a date, or a time with its zone', startMoment)
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .addHelpText('after', exampleOf('keys -- backups register snapshot-7 --taken 2026-11-27T02:00:00Z'))
    .action((name: string, options: Attribution & { readonly taken: Date }) => {
      const act = { action: 'keys -- backups register', by: options, target: { name } };
      choose(recorded<KeysCommandContext>(act, register(name, options.taken)));
    });
  backups
    .command('gone')
    .description('note that a back-up was deleted')
    .argument('<name>', 'its name', nameOf)
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .addHelpText('after', exampleOf('keys -- backups gone 2026-08-01T02-00-00Z'))
    .action((name: string, options: Attribution) => {
      const act = { action: 'keys -- backups gone', by: options, target: { name } };
      choose(recorded<KeysCommandContext>(act, gone(name)));
    });
};
