import { childEnvironment } from './child-environment.js';
import { createRequire } from 'node:module';
import { passwordIn } from './event-store-password.js';
import { connectionStringOf, credentialsWith } from '@kyc/event-store-node/credentials';
import { SupervisedProcess } from './supervised-process.js';
import { freePort } from './ports.js';
import { StartupError } from './startup-error.js';
import { type Report, Supervisor } from './supervisor.js';

export interface EventStoreNode {
  /** esdb:// connection string with the node's credentials. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A small young generation keeps the node's memory low without a measurable cost. */
export const NODE_COMMAND = [
  process.execPath,
  '--max-semi-space-size=4',
  createRequire(import.meta.url).resolve('@kyc/event-store-node/main'),
] as const;
const READY_MS = 60_000;
const WAIT_SECONDS = 5;

/** The node writes a line of JSON with its port when it is ready. */
export const portWhenReady = (line: string): number | undefined =>
  line.startsWith('{') && line.includes('"ready":true') ? (JSON.parse(line) as { port: number }).port : undefined;

interface NodeOptions {
  readonly databaseUrl: string;
  readonly dataDirectory: string;
  readonly password: string;
}

const startNode = async (
  options: NodeOptions,
  port: number,
  report: Report,
  signal: AbortSignal,
): Promise<SupervisedProcess> => {
  let announce: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (announce = resolve));
  const node = new SupervisedProcess({
    command: NODE_COMMAND,
    environment: {
      ...childEnvironment(),
      // The node does not read this variable. It shows the owner of the process.
      DATA_DIR: options.dataDirectory,
      DATABASE_URL: options.databaseUrl,
      EVENTSTORE_PASSWORD: options.password,
      EVENTSTORE_PORT: String(port),
      EVENTSTORE_WATCH_STDIN: '1',
    },
    signals: ['TERM'],
    onLine: (line) => {
      if (portWhenReady(line) !== undefined) announce();
      else report({ level: 'info', message: `event-store node: ${line}` });
    },
  });
  const giveUp = (): void => void node.stop(1);
  signal.addEventListener('abort', giveUp, { once: true });
  const overdue = setTimeout(giveUp, READY_MS);
  await Promise.race([ready, node.ended]);
  clearTimeout(overdue);
  signal.removeEventListener('abort', giveUp);
  if (!node.running) throw new StartupError(`The embedded event-store node did not start:\n${node.lastWords}`);
  return node;
};

/** Runs the event-store node beside the service and keeps it running, on one port of loopback, until it is stopped. */
export const startEventStoreNode = async (
  options: Omit<NodeOptions, 'password'>,
  report: Report,
): Promise<EventStoreNode> => {
  // The password stays in memory. A restarted node must ask for the password that the service sends.
  const password = await passwordIn(options.dataDirectory);
  const port = await freePort();
  const supervisor = new Supervisor(
    'the event-store node',
    (signal) => startNode({ ...options, password }, port, report, signal),
    report,
  );
  await supervisor.begin();
  return {
    url: connectionStringOf(port, credentialsWith(password)),
    stop: () => supervisor.stop(WAIT_SECONDS),
  };
};
