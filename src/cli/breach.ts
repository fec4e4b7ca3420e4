import { type Command, InvalidArgumentError } from 'commander';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { isTenantId, newUuid } from '../kernel/ids.js';
import { type AggregateStore } from '../log/append/aggregate-store.js';
import { accessesWithin, type BreachFilter, KINDS_OF_DATA, reachablePersons } from '../operations/breach-scope.js';
import { authorityNotice, memberNotice } from '../operations/breach-notices.js';
import { type Breach, Breaches, newBreach } from '../operations/breaches.js';
import { type IncidentSources } from '../operations/incident-sections.js';
import { endMoment, startMoment } from './audit-context.js';
import { recorded, type Recording } from './command-line-acts.js';
import { exampleOf, type Work } from './command-line.js';
import { newFolder } from './new-folder.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

export interface BreachCommandContext extends IncidentSources, Recording {
  readonly aggregates: AggregateStore;
  readonly print: (line: string) => void;
}

interface BreachOptions extends Attribution {
  readonly since: Date;
  readonly until: Date;
  readonly accounts?: readonly string[];
  readonly identities?: readonly string[];
  readonly out?: string;
}

const MODE = { mode: 0o600 } as const;

const idsOf =
  (what: string, isId: (text: string) => boolean) =>
  (text: string): readonly string[] => {
    const ids = text.split(',').map((id) => id.trim());
    if (ids.every(isId)) return ids;
    throw new InvalidArgumentError(`It takes ${what}, with commas between them.`);
  };

const accountIds = idsOf('ids of accounts', isTenantId);
const identityIds = idsOf('ids of identities', (id) => /^idn_[0-9a-f]{32}$/.test(id));

/** Writes a file for each account as it reads, and counts. However many persons there are, one page is in memory. */
const writePersons = async (
  { database }: BreachCommandContext,
  filter: BreachFilter,
  folder: string,
): Promise<ReadonlyMap<string, number>> => {
  const persons = new Map<string, number>();
  for await (const page of reachablePersons(database, filter)) {
    const ofAccounts = new Map<string, string[]>();
    for (const { tenantId, identityId } of page)
      ofAccounts.set(tenantId, [...(ofAccounts.get(tenantId) ?? []), identityId]);
    for (const [tenantId, ids] of ofAccounts) {
      const file = createWriteStream(join(folder, `persons-${tenantId}.csv`), { flags: 'a', ...MODE });
      if (!persons.has(tenantId)) file.write('identity_id\r\n');
      file.end(`${ids.join('\r\n')}\r\n`);
      await once(file, 'close');
      persons.set(tenantId, (persons.get(tenantId) ?? 0) + ids.length);
    }
  }
  return persons;
};

const writeNotices = async (noted: Breach, persons: ReadonlyMap<string, number>, folder: string): Promise<void> => {
  await writeFile(join(folder, 'notice-authority.txt'), authorityNotice(noted), MODE);
  for (const [tenantId, count] of persons)
    await writeFile(join(folder, `notice-${tenantId}.txt`), memberNotice(noted, { tenantId, persons: count }), MODE);
  const kept = { ...noted, kindsOfData: KINDS_OF_DATA, personsByAccount: Object.fromEntries(persons) };
  await writeFile(join(folder, 'breach.json'), `${JSON.stringify(kept, null, 2)}\n`, MODE);
};

const writeAccesses = async (
  { database }: BreachCommandContext,
  filter: BreachFilter,
  { tenantIds, folder }: { readonly tenantIds: readonly string[]; readonly folder: string },
): Promise<void> => {
  const accesses = await accessesWithin(database, filter, tenantIds);
  const rows = accesses.map((row) => [row.tenantId, row.action, row.result, row.accesses].join(','));
  await writeFile(join(folder, 'accesses.csv'), ['account,action,result,accesses', ...rows, ''].join('\r\n'), MODE);
};

/** The clock starts once everything is written: a run that fails before starts none. */
const breach = async (context: BreachCommandContext, options: BreachOptions, operatorHash: string): Promise<number> => {
  const { since, until, accounts = [], identities = [], out } = options;
  if (since >= until) {
    context.print(`--until takes a time after --since, ${since.toISOString()}`);
    return 1;
  }
  const now = new Date();
  const folder = await newFolder(out ?? `breach-${now.toISOString().replaceAll(/[:.]/g, '')}`);
  const filter = { since, until, accounts, identities };
  const persons = await writePersons(context, filter, folder);
  if (persons.size === 0) {
    context.print('No record of a person stood then under these ids, so no clock is started. Are the ids right?');
    return 1;
  }
  for (const tenantId of accounts.filter((id) => !persons.has(id))) context.print(`${tenantId}: no person`);
  await writeAccesses(context, filter, { tenantIds: [...persons.keys()], folder });
  const total = [...persons.values()].reduce((sum, count) => sum + count, 0);
  const scope = { since: since.toISOString(), until: until.toISOString(), accounts: persons.size, persons: total };
  const noted = newBreach(scope, now);
  await writeNotices(noted, persons, folder);
  const metadata = { requestId: newUuid(), actor: { type: 'operator', id: operatorHash } } as const;
  context.print(`Starts the clock of breach ${noted.breachId}; GET /admin/breaches shows it`);
  await new Breaches(context.store, context.aggregates).note(noted, metadata);
  context.print(`${folder}: ${total} persons at ${persons.size} accounts, by ids, and the notices to fill in`);
  context.print(`Notify the authority by ${noted.dueAt}. Then: POST /admin/breaches/${noted.breachId}/notified`);
  return 0;
};

export const addBreach = (parent: Command, choose: (work: Work<BreachCommandContext>) => void): void => {
  parent
    .command('breach')
    .description('list whose data was reachable, start the clock of 72 hours, and write the notices')
    .requiredOption('--since <time>', 'since when data was reachable: a date, or a time with its zone', startMoment)
    .requiredOption('--until <time>', 'until when: a date (its end), or a time with its zone', endMoment)
    .option('--accounts <ids>', 'of these accounts alone (default: all)', accountIds)
    .option('--identities <ids>', 'of these identities alone (default: all)', identityIds)
    .option('--out <folder>', 'a new folder (default: breach- and the time, here)')
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .addHelpText('after', exampleOf('incident -- breach --since 2026-11-20 --until 2026-11-21T12:00:00Z'))
    .action((options: BreachOptions) => {
      const target = { since: options.since.toISOString(), until: options.until.toISOString() };
      const act = { action: 'incident -- breach', by: options, target };
      choose(recorded(act, (context, operatorHash) => breach(context, options, operatorHash)));
    });
};
