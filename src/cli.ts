import 'reflect-metadata';
import { categories } from './categories.js';
import { type Work } from './cli/command-line.js';
import { keysCommand, type KeysCommandContext } from './cli/keys.js';
import { projectionsCommand, type ProjectionsCommandContext } from './cli/projections.js';
import { reactorsCommand, type ReactorsCommandContext } from './cli/reactors.js';
import { withStores } from './cli/stores.js';
import { type Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import { loadConfig, readEnvironment } from './platform/config/load-config.js';
import { KeyMaterialError } from './platform/crypto/key-material.js';
import { type Parts } from '@kyc/embedded-runtime/runtime';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type EventStore } from './platform/eventstore/event-store.js';
import { openEventStore } from './platform/eventstore/open-event-store.js';
import { Database } from './platform/postgres/database.js';

/** Milliseconds for one statement over all keys. */
const KEYS_BUDGET = 60_000;

type Run = (words: readonly string[]) => Promise<number>;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const eventStore = ({ eventStoreClient: client, timing }: Config, connectionString: string): EventStore =>
  openEventStore({ connectionString, client, budgetMs: timing.storeBudget }, categories);

const configured = (work: (config: Config, stores: Parts) => Promise<number>): Promise<number> => {
  const config = loadConfig(readEnvironment());
  return withStores(config, (stores) => work(config, stores));
};

const withKeys = (work: Work<KeysCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const store = eventStore(config, eventStoreUrl);
    const database = new Database({ connectionString: databaseUrl, budgetMs: KEYS_BUDGET });
    try {
      return await work({ config, database, store, print });
    } finally {
      await store.close();
      await database.close();
    }
  });

const withProjections = (work: Work<ProjectionsCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const interrupted = new AbortController();
    process.once('SIGINT', () => interrupted.abort());
    const store = eventStore(config, eventStoreUrl);
    try {
      return await work({ store, database: databaseUrl, print, signal: interrupted.signal });
    } finally {
      await store.close();
    }
  });

const withReactors = (work: Work<ReactorsCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const store = eventStore(config, eventStoreUrl);
    const database = new Database({ connectionString: databaseUrl });
    try {
      return await work({ database, store, print });
    } finally {
      await store.close();
      await database.close();
    }
  });

const COMMANDS: Readonly<Record<string, Run>> = {
  keys: (words) => keysCommand(words, { print, open: withKeys }),
  projections: async (words) => {
    const { projections } = await import('./projections.js');
    return projectionsCommand(words, projections, { print, open: withProjections });
  },
  reactors: (words) => reactorsCommand(words, { print, open: withReactors }),
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
  process.exit(await command(words));
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`);
  process.exit(1);
}
