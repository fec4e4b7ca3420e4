import { chown, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type Account, launchAs, postgresAccount } from './account.js';
import { postgresBinaries, type PostgresBinaries } from './binaries.js';
import { initialiseCluster, SUPERUSER } from './initialise.js';
import { clearLeftovers, purposeOf } from './leftovers.js';
import { EMBEDDED_SETTINGS, settingsFile } from './settings.js';
import { childEnvironment } from '../child-environment.js';
import { FolderLock } from '../folder-lock.js';
import { type KeptCommand, SupervisedProcess } from '../supervised-process.js';
import { StartupError } from '../startup-error.js';

/** Milliseconds. A recovery after a crash replays at most max_wal_size of log. A slower start means a fault. */
const READY_MS = 120_000;
const POLL_MS = 20;
/** The eighth line of the lock file holds the server's status. pg_ctl reads it too. */
const STATUS_LINE = 7;
const LOOK_MS = 250;
/** A shutdown writes a checkpoint. A longer one is cut short, and the next start recovers from it. */
export const WAIT_SECONDS = 15;

export interface ClusterOptions {
  /** Created where it does not exist. Its parent must exist. */
  readonly directory: string;
  readonly password: string;
  /** A port of 127.0.0.1. */
  readonly port: number;
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface StartOptions {
  /** Time for an earlier server over the same folder to end by itself, in milliseconds. */
  readonly graceMs?: number | undefined;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A Postgres server over one folder. */
export class PostgresCluster {
  private constructor(
    private readonly options: ClusterOptions,
    private readonly directory: string,
    private readonly binaries: PostgresBinaries,
    private readonly account: Account | undefined,
    private readonly lock: FolderLock,
  ) {}

  static async prepare(options: ClusterOptions): Promise<PostgresCluster> {
    const binaries = await postgresBinaries();
    const account = postgresAccount();
    await mkdir(dirname(options.directory), { recursive: true });
    const directory = join(
      await realpath(dirname(options.directory)),
      options.directory.slice(dirname(options.directory).length),
    );
    const lock = await FolderLock.of(dirname(directory));
    const cluster = new PostgresCluster(options, directory, binaries, account, lock);
    if (!(await exists(join(directory, 'PG_VERSION')))) await cluster.initialise();
    return cluster;
  }

  url(database: string): string {
    return `postgresql://${SUPERUSER}:${encodeURIComponent(this.options.password)}@127.0.0.1:${this.options.port}/${encodeURIComponent(database)}`;
  }

  /** Starts the server and waits until it takes connections. Throws StartupError where it does not start. */
  async start({ graceMs, signal }: StartOptions = {}): Promise<SupervisedProcess> {
    await this.clear(graceMs);
    const command = await this.command();
    const server = await this.holding((inherits) => new SupervisedProcess({ ...command, inherits }));
    await this.untilReady(server, signal);
    void this.endWhenStopping(server);
    return server;
  }

  /** Waits for servers left over from earlier starts, or ends them. Throws StartupError where one may still run. */
  clear(graceMs?: number): Promise<void> {
    return clearLeftovers(this.directory, this.lock, graceMs);
  }

  /** Writes the settings and returns the command that starts the server. */
  async command(): Promise<KeptCommand> {
    await this.writeSettings();
    // The port is not in the settings. postmaster.pid shows it, which tells this server from one that was started by hand.
    const command = [this.binaries.postgres, '-D', this.directory, '-p', String(this.options.port)];
    return {
      ...launchAs(this.account, command, [this.binaries.postgres, this.directory]),
      environment: { ...childEnvironment(), LC_ALL: 'C', DATA_DIR: dirname(this.directory) },
      // Callers wait for the service. Where processors are few, what Postgres does behind it must not take them first.
      niceness: 5,
      // A fast shutdown with a checkpoint, then an immediate one where that takes too long.
      signals: ['INT', 'QUIT'],
    };
  }

  /** Creates the database where it does not exist. */
  async ensureDatabase(name: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url('postgres'), connectionTimeoutMillis: 10_000 });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    } finally {
      await client.end();
    }
  }

  private async initialise(): Promise<void> {
    const { binaries, account, directory } = this;
    await this.clear();
    await this.holding((inherits) =>
      initialiseCluster({ binaries, account, directory, inherits, password: this.options.password }),
    );
  }

  /** Processes that `work` starts with this descriptor hold the folder for as long as they live. */
  private async holding<Result>(work: (inherits: number) => Result): Promise<Awaited<Result>> {
    const pipe = await this.lock.hold(purposeOf(this.options.port));
    try {
      return await work(pipe.descriptor);
    } finally {
      pipe.close();
    }
  }

  /** A server that another process told to stop waits for its clients. Ours never disconnect, so this ends the server. */
  private async endWhenStopping(server: SupervisedProcess): Promise<void> {
    await this.untilStopping(server);
    await server.stop(WAIT_SECONDS);
  }

  /** Reads the file only when it has changed. A check then costs one system call instead of five. */
  private async untilStopping(server: SupervisedProcess): Promise<void> {
    let readOf: number | undefined;
    while (server.running) {
      const changedAt = await stat(this.lockFile).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
      if (changedAt !== readOf && (await this.status()) === 'stopping') return;
      readOf = changedAt;
      await sleep(LOOK_MS);
    }
  }

  private async writeSettings(): Promise<void> {
    const file = join(this.directory, 'postgresql.conf');
    await writeFile(file, settingsFile({ ...EMBEDDED_SETTINGS, ...this.options.settings }), { mode: 0o600 });
    if (this.account !== undefined) await chown(file, this.account.uid, this.account.gid);
  }

  private async untilReady(server: SupervisedProcess, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (server.running && signal?.aborted !== true && performance.now() < deadline) {
      if ((await this.status()) === 'ready') return;
      await sleep(POLL_MS);
    }
    await server.stop(1);
    throw new StartupError(
      `The embedded Postgres in ${this.directory} did not start:\n${await this.explanation(server)}`,
    );
  }

  private get lockFile(): string {
    return join(this.directory, 'postmaster.pid');
  }

  private async status(): Promise<string | undefined> {
    const lock = await readFile(this.lockFile, 'utf8').catch(() => '');
    return lock.split('\n')[STATUS_LINE]?.trim();
  }

  /** The server's last lines, on standard error and in its log file. */
  private async explanation(server: SupervisedProcess): Promise<string> {
    const folder = join(this.directory, 'log');
    const names = await readdir(folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => ({ name, changed: (await stat(join(folder, name))).mtimeMs })),
    );
    const newest = files.sort((one, other) => other.changed - one.changed)[0];
    const logged = newest === undefined ? '' : await readFile(join(folder, newest.name), 'utf8').catch(() => '');
    return [server.lastWords, ...logged.trimEnd().split('\n').slice(-5)].filter((line) => line !== '').join('\n');
  }
}
