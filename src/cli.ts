import './platform/least-tls.js';
import './boot/contract.js';
import 'reflect-metadata';
import { OperatorAudit } from './accounts/operator-audit.js';
import { categories } from './categories.js';
import { accountsCommand } from './cli/accounts.js';
import { type AccountsCommandContext, withAccountsDesk } from './cli/accounts-context.js';
import { billingCommand, type BillingCommandContext } from './cli/billing.js';
import { auditCommand } from './cli/audit.js';
import { type AuditCommandContext } from './cli/audit-context.js';
import { withAuditContext } from './cli/audit-stores.js';
import { CommandLineActs, type Recording } from './cli/command-line-acts.js';
import { type Work } from './cli/command-line.js';
import { exportCommand, type ExportCommandContext } from './cli/export.js';
import { exportContext } from './cli/export-stores.js';
import { incidentCommand, type IncidentCommandContext } from './cli/incident.js';
import { keysCommand } from './cli/keys.js';
import { type KeysCommandContext } from './cli/keys-context.js';
import { Output } from './cli/output.js';
import { openKeys } from './cli/open-keys.js';
import { projectionsCommand, type ProjectionsCommandContext } from './cli/projections.js';
import { reactorsCommand, type ReactorsCommandContext } from './cli/reactors.js';
import { replayingWith } from './cli/screening-replay.js';
import { screeningCommand, type ScreeningCommandContext } from './cli/screening.js';
import { NoDeployment, withStores } from './cli/stores.js';
import { systemClock } from './kernel/clock.js';
import { type Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import { loadConfig, readEnvironment } from './platform/config/load-config.js';
import { KeyMaterialError } from './kernel/key-material.js';
import { LostKeys } from './platform/crypto/lost-keys.js';
import { type Parts } from '@kyc/embedded-runtime/running-stores';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { AggregateStore } from './log/append/aggregate-store.js';
import { type EventStore } from './platform/eventstore/event-store.js';
import { openEventStore } from './boot/open-event-store.js';
import { PostgresSnapshots } from './log/append/snapshots.js';
import { PaymentConnection } from './billing/stripe/connection.js';
import { Database } from './platform/postgres/database.js';
import { readModelSearchPath } from './log/project/read-models.js';
import { Accepting } from './screening/lists/accepting.js';
import { ListStore } from './screening/lists/list-store.js';
import { publishersFor } from './screening/lists/publishers.js';
import { Refreshing } from './screening/lists/refreshing.js';

/** Milliseconds for one statement over all keys. */
const KEYS_BUDGET_MS = 60_000;

type Run = (words: readonly string[]) => Promise<number>;

const output = new Output();
const { print } = output;

const eventStore = ({ eventStoreClient: client, timing }: Config, connectionString: string): EventStore =>
  openEventStore({ connectionString, client, budgetMs: timing.storeBudget }, categories);

const configured = (work: (config: Config, stores: Parts) => Promise<number>): Promise<number> => {
  const config = loadConfig(readEnvironment());
  return withStores(config, (stores) => work(config, stores));
};

/** Aborts when the operator interrupts. */
const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  return interrupted.signal;
};

/** For commands that are recorded in the operators' log. Throws KeyMaterialError where the keys are not those of the data. */
const recordingIn = (config: Config, database: Database, store: EventStore): Recording => ({
  acts: async () => {
    const { hashes, vault } = await openKeys({ config, database });
    const aggregates = new AggregateStore(
      categories,
      store,
      new PostgresSnapshots(database, () => undefined),
      systemClock,
    );
    return new CommandLineActs(new OperatorAudit(aggregates, vault), hashes);
  },
});

const withKeys = (work: Work<KeysCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const store = eventStore(config, eventStoreUrl);
    const database = new Database({ connectionString: databaseUrl, budgetMs: KEYS_BUDGET_MS });
    try {
      const open = await openKeys({ config, database });
      const lostKeys = new LostKeys(database, store, categories, open.vault);
      return await work({ config, database, store, lostKeys, print, ...recordingIn(config, database, store) });
    } finally {
      await store.close();
      await database.close();
    }
  });

const withProjections = (work: Work<ProjectionsCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const signal = interruption();
    const store = eventStore(config, eventStoreUrl);
    const database = new Database({ connectionString: databaseUrl });
    try {
      return await work({ store, database: databaseUrl, print, signal, ...recordingIn(config, database, store) });
    } finally {
      await store.close();
      await database.close();
    }
  });

const withReactors = (work: Work<ReactorsCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const store = eventStore(config, eventStoreUrl);
    const database = new Database({ connectionString: databaseUrl });
    try {
      return await work({ database, store, print, ...recordingIn(config, database, store) });
    } finally {
      await store.close();
      await database.close();
    }
  });

const withBilling = (work: Work<BillingCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const { projections } = await import('./projections.js');
    const store = eventStore(config, eventStoreUrl);
    const searchPath = `public,${readModelSearchPath(projections)}`;
    const database = new Database({ connectionString: databaseUrl, searchPath });
    const connection = await PaymentConnection.open(config, systemClock, { readOnly: true });
    try {
      const snapshots = new PostgresSnapshots(database, () => undefined);
      const aggregates = new AggregateStore(categories, store, snapshots, systemClock);
      return await work({ store, aggregates, database, payments: connection.payments, print });
    } finally {
      await connection.onApplicationShutdown();
      await store.close();
      await database.close();
    }
  });

const withExport = (work: Work<ExportCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const { projections } = await import('./projections.js');
    const signal = interruption();
    const store = eventStore(config, eventStoreUrl);
    const searchPath = `public,${readModelSearchPath(projections)}`;
    const database = new Database({ connectionString: databaseUrl, searchPath });
    try {
      const stores = { config, store, database, categories, signal };
      return await withAuditContext({ ...stores, output }, (context) => work(exportContext(context, projections)));
    } finally {
      await store.close();
      await database.close();
    }
  });

const withAccounts = (work: Work<AccountsCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const { projections } = await import('./projections.js');
    const store = eventStore(config, eventStoreUrl);
    const searchPath = `public,${readModelSearchPath(projections)}`;
    const database = new Database({ connectionString: databaseUrl, searchPath });
    try {
      return await withAccountsDesk({ config, store, database, categories, projections }, work);
    } finally {
      await store.close();
      await database.close();
    }
  });

const withAudit = (work: Work<AuditCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const interrupted = new AbortController();
    process.once('SIGINT', () => interrupted.abort());
    // A reader such as `head` may be gone before the end.
    process.stdout.on('error', () => interrupted.abort());
    const store = eventStore(config, eventStoreUrl);
    const database = new Database({ connectionString: databaseUrl });
    try {
      return await withAuditContext({ config, store, database, categories, output, signal: interrupted.signal }, work);
    } finally {
      await store.close();
      await database.close();
    }
  });

const withLists = (work: Work<ScreeningCommandContext>): Promise<number> =>
  configured(async (config, { databaseUrl, eventStoreUrl }) => {
    const events = eventStore(config, eventStoreUrl);
    const database = new Database({ connectionString: databaseUrl, budgetMs: KEYS_BUDGET_MS });
    try {
      const snapshots = new PostgresSnapshots(database, () => undefined);
      const store = new ListStore(database);
      const aggregates = new AggregateStore(categories, events, snapshots, systemClock);
      const accepting = new Accepting(aggregates, store);
      const replay = replayingWith({ config, databaseUrl, events, aggregates, accepting, store });
      const refreshing = new Refreshing(accepting, store, publishersFor(config.screening));
      const recording = recordingIn(config, database, events);
      return await work({ accepting, refreshing, store, replay, print, ...recording });
    } finally {
      await events.close();
      await database.close();
    }
  });

/** A snapshot changes nothing: a store that is away, or tables of another release, may be what it is to record. */
const withIncident = async (work: Work<IncidentCommandContext>): Promise<number> => {
  const { projections } = await import('./projections.js');
  const environment = readEnvironment();
  const config = loadConfig(environment);
  const record = async ({ databaseUrl, eventStoreUrl }: Parts): Promise<number> => {
    const store = eventStore(config, eventStoreUrl);
    const searchPath = `public,${readModelSearchPath(projections)}`;
    const database = new Database({ connectionString: databaseUrl, searchPath });
    const snapshots = new PostgresSnapshots(database, () => undefined);
    const aggregates = new AggregateStore(categories, store, snapshots, systemClock);
    try {
      const recording = recordingIn(config, database, store);
      return await work({ database, store, projections, environment, aggregates, print, ...recording });
    } finally {
      await store.close();
      await database.close();
    }
  };
  return withStores(config, record, 'as they are');
};

const COMMANDS: Readonly<Record<string, Run>> = {
  accounts: (words) => accountsCommand(words, { print, open: withAccounts }),
  audit: (words) => auditCommand(words, { print, open: withAudit }),
  billing: (words) => billingCommand(words, { print, open: withBilling }),
  export: (words) => exportCommand(words, { print, open: withExport }),
  incident: (words) => incidentCommand(words, { print, open: withIncident }),
  keys: (words) => keysCommand(words, { print, open: withKeys }),
  projections: async (words) => {
    const { projections } = await import('./projections.js');
    return projectionsCommand(words, projections, { print, open: withProjections });
  },
  reactors: (words) => reactorsCommand(words, { print, open: withReactors }),
  screening: (words) => screeningCommand(words, { print, open: withLists }),
};

/** An expected error shows only its message, which the operator can act on. An unexpected one shows its kind too. */
const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const foreseen = [ConfigurationError, KeyMaterialError, StartupError].some((kind) => error instanceof kind);
  return foreseen ? error.message : `${error.name}: ${error.message}`;
};

const main = async ([name = '', ...words]: readonly string[]): Promise<number> => {
  const command = COMMANDS[name];
  if (command === undefined) {
    process.stderr.write(`Usage: npm run ${Object.keys(COMMANDS).join('|')} -- <what>\n`);
    return 2;
  }
  try {
    return await command(words);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n\n`);
    return error instanceof NoDeployment ? 2 : 1;
  }
};

// Node’s own status of a program that nothing keeps alive before it has ended.
process.exitCode = 13;
void main(process.argv.slice(2)).then(output.exit);
