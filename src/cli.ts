import 'reflect-metadata';
import { categories } from './categories.js';
import { keysCommand } from './cli/keys.js';
import { projectionsCommand } from './cli/projections.js';
import { reactorsCommand } from './cli/reactors.js';
import { withStores } from './cli/stores.js';
import { type Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import { loadConfig, readEnvironment } from './platform/config/load-config.js';
import { KeyMaterialError } from './platform/crypto/key-material.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type EventStore } from './platform/eventstore/event-store.js';
import { openEventStore } from './platform/eventstore/open-event-store.js';
import { Database } from './platform/postgres/database.js';

/** Milliseconds for one statement over all keys. */
const KEYS_BUDGET = 60_000;

type Command = (words: readonly string[], config: Config) => Promise<number>;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const eventStore = ({ eventStoreClient: client, timing }: Config, connectionString: string): EventStore =>
  openEventStore({ connectionString, client, budgetMs: timing.storeBudget }, categories);

const COMMANDS: Readonly<Record<string, Command>> = {
  keys: (words, config) =>
    withStores(config, async ({ databaseUrl, eventStoreUrl }) => {
      const store = eventStore(config, eventStoreUrl);
      const database = new Database({ connectionString: databaseUrl, budgetMs: KEYS_BUDGET });
      try {
        return await keysCommand(words, { config, database, store, print });
      } finally {
        await store.close();
        await database.close();
      }
    }),
  projections: (words, config) =>
    withStores(config, async ({ databaseUrl, eventStoreUrl }) => {
      const { projections } = await import('./projections.js');
      const interrupted = new AbortController();
      process.once('SIGINT', () => interrupted.abort());
      const store = eventStore(config, eventStoreUrl);
      try {
        return await projectionsCommand(words, {
          store,
          database: databaseUrl,
          projections,
          print,
          signal: interrupted.signal,
        });
      } finally {
        await store.close();
      }
    }),
  reactors: (words, config) =>
    withStores(config, async ({ databaseUrl, eventStoreUrl }) => {
      const store = eventStore(config, eventStoreUrl);
      const database = new Database({ connectionString: databaseUrl });
      try {
        return await reactorsCommand(words, { database, store, print });
      } finally {
        await store.close();
        await database.close();
      }
    }),
};

/** An expected error shows only its message, which the operator can act on. An unexpected one shows its kind too. */
const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const foreseen = [ConfigurationError, KeyMaterialError, StartupError].some((kind) => error instanceof kind);
  return foreseen ? error.message : `${error.name}: ${error.message}`;
};

const [name = '', ...words] = process.argv.slice(2);
const command = COMMANDS[name];
if (command === undefined) {
  process.stderr.write(`Usage: npm run ${Object.keys(COMMANDS).join('|')} -- <what>\n`);
  process.exit(2);
}
try {
  process.exit(await command(words, loadConfig(readEnvironment())));
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`);
  process.exit(1);
}
