import { bareEnvironment, builtPackage } from './built.js';
import { reached } from './faults/slow-stores.js';
import { createDatabase } from './postgres.js';
import { eventually, READY_WITHIN, TestProcess } from './processes.js';

export interface EventStoreNode {
  readonly connectionString: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly pid: number;
  /** The output so far. */
  output(): string;
  stop(): Promise<void>;
  kill9(): Promise<void>;
  pause(): void;
  resume(): void;
}

export interface EventStoreNodeOptions {
  /** The default is a fresh database. Pass the database of an earlier node to start it again over the same log. */
  readonly databaseUrl?: string;
  /** The default is any free port. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const announcedPort = (output: string): number | undefined => {
  const line = output.split('\n').find((text) => text.startsWith('{') && text.includes('"ready":true'));
  return line === undefined ? undefined : (JSON.parse(line) as { port: number }).port;
};

/** Starts the embedded event-store node in its own process. */
export const startEventStore = async (options: EventStoreNodeOptions = {}): Promise<EventStoreNode> => {
  const databaseUrl = options.databaseUrl ?? (await createDatabase());
  const node = new TestProcess(process.execPath, [builtPackage('event-store-node', 'main.js')], {
    ...bareEnvironment(),
    EVENTSTORE_PORT: String(options.port ?? 0),
    // The official client sends no credentials without TLS.
    EVENTSTORE_INSECURE: 'true',
    EVENTSTORE_WATCH_STDIN: '1',
    DATABASE_URL: databaseUrl,
    ...options.env,
  });
  const port = await eventually(
    'the event-store node',
    () => {
      if (!node.running) throw new Error(`it ended:\n${node.output}`);
      return announcedPort(node.output);
    },
    READY_WITHIN,
  ).catch(async (error: unknown) => {
    await node.kill9();
    throw new Error(`the event-store node did not become ready:\n${node.output}`, { cause: error });
  });
  return {
    connectionString: await reached(`esdb://127.0.0.1:${port}?tls=false`),
    databaseUrl,
    port,
    pid: node.pid,
    output: () => node.output,
    stop: () => node.stop(5_000).then(() => undefined),
    kill9: () => node.kill9(),
    pause: () => node.pause(),
    resume: () => node.resume(),
  };
};
