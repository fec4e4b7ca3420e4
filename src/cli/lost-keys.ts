import { type Command } from 'commander';
import { IDENTITY_STREAM_PREFIX, identityOfStream } from '../identity/domain/identity.events.js';
import { tenantOfStream } from '../kernel/events.js';
import { type LostKey } from '../platform/crypto/lost-keys.js';
import { recorded } from './command-line-acts.js';
import { exampleOf, type Work } from './command-line.js';
import { type KeysCommandContext } from './keys-context.js';
import { barOf } from './keys-progress.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

type Stores = Pick<KeysCommandContext, 'lostKeys' | 'store'>;

/** Reads the whole log. Returns how many keys that it names are neither here nor destroyed. */
export const searchLost = async ({ lostKeys, store }: Stores): Promise<number> => {
  const head = Number((await store.head()) ?? 0n);
  const bar = barOf('reading the log', head, 'positions');
  const { signal } = new AbortController();
  await lostKeys.search(undefined, signal, (_, position) => bar.update(Number(position))).finally(() => bar.stop());
  return lostKeys.count();
};

interface Loss {
  readonly identities: readonly string[];
  /** Streams of anything else: audit entries, decisions, texts, ingestions that were never carried out. */
  readonly others: readonly string[];
}

const byTenant = (keys: readonly LostKey[]): ReadonlyMap<string, Loss> => {
  const streams = new Map<string, Set<string>>();
  for (const { stream } of keys) {
    const tenant = tenantOfStream(stream);
    streams.set(tenant, (streams.get(tenant) ?? new Set()).add(stream));
  }
  const lossOf = (of: ReadonlySet<string>): Loss => {
    const isIdentity = (stream: string): boolean => stream.startsWith(IDENTITY_STREAM_PREFIX);
    const others = [...of].filter((stream) => !isIdentity(stream));
    return { identities: [...of].filter(isIdentity).map(identityOfStream), others };
  };
  return new Map([...streams].map(([tenant, of]) => [tenant, lossOf(of)]));
};

const lost =
  ({ json = false }: { readonly json?: boolean }): Work<KeysCommandContext> =>
  async ({ lostKeys, print }) => {
    const losses = byTenant(await lostKeys.waiting());
    if (json) print(JSON.stringify(Object.fromEntries(losses), null, 2));
    for (const [tenant, { identities, others }] of json ? [] : losses) {
      print(`${tenant}: ${identities.length} identities to ingest again, ${others.length} other streams`);
      for (const identity of identities) print(`  ${identity}`);
      for (const stream of others) print(`  ${stream}`);
    }
    if (!json)
      print(losses.size === 0 ? 'No data key is known to be lost.' : `${losses.size} accounts have lost data.`);
    return losses.size === 0 ? 0 : 1;
  };

/** What was parked for want of a key is tried again, and finds its data erased. */
const retryParked = `
  UPDATE parked_events SET retry_requested = true WHERE error LIKE '%DataKeyMissing%' RETURNING 1`;

export const giveUp: Work<Stores & Pick<KeysCommandContext, 'database' | 'print'>> = async (context) => {
  const { lostKeys, database, print } = context;
  // What is not found before counts as destroyed after, and no one would learn of it.
  await searchLost(context);
  const count = await lostKeys.giveUp(new Date());
  if (count === 0) {
    print('No data key is lost: there is nothing to give up.');
    return 1;
  }
  const parked = await database.query(retryParked);
  print(`${count} keys are given up. What they sealed reads as erased.`);
  print('A service with the role jobs erases the identities that nothing opens any more, and informs their accounts.');
  if (parked.length > 0) print(`${parked.length} parked events will be tried again.`);
  return 0;
};

export const addLostKeys = (command: Command, choose: (work: Work<KeysCommandContext>) => void): void => {
  command
    .command('lost')
    .description('list whose data lost its key with an earlier state of Postgres')
    .option('--json', 'print one JSON document')
    .addHelpText('after', exampleOf('keys -- lost --json'))
    .action((options: { readonly json?: boolean }) => choose(lost(options)));
  command
    .command('give-up')
    .description('declare all lost keys lost for good: their data counts as erased, and the accounts are informed')
    .option(...OPERATOR)
    .requiredOption(...JUSTIFICATION)
    .addHelpText('after', exampleOf('keys -- give-up --justification "The disk of the database died on 24 November"'))
    .action((by: Attribution) => choose(recorded<KeysCommandContext>({ action: 'keys -- give-up', by }, giveUp)));
};
