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

/** A recovery after a crash replays at most max_wal_size of log; slower than this and something is wrong. */
const READY_MS = 120_000;
const POLL_MS = 20;
/** The eighth line of the lock file says whether connections are taken (pg_ctl reads it likewise). */
const STATUS_LINE = 7;
const LOOK_MS = 250;
/** A shutdown writes a checkpoint; one that takes longer is cut short and recovered from at the next start. */
export const PATIENCE_SECONDS = 15;

export interface ClusterOptions {
  /** Made where it does not exist; its parent must exist. */
  readonly directory: string;
  readonly password: string;
  /** On 127.0.0.1. */
  readonly port: number;
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface StartOptions {
  /** How long an earlier server over the same folder may take to end by itself, milliseconds. */
  readonly graceMs?: number | undefined;
  /** Gives up. */
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

  /** Starts the server and waits until it takes connections. */
  async start({ graceMs, signal }: StartOptions = {}): Promise<SupervisedProcess> {
    await this.clear(graceMs);
    const command = await this.command();
    const server = await this.holding((inherits) => new SupervisedProcess({ ...command, inherits }));
    await this.untilReady(server, signal);
    void this.endWhenStopping(server);
    return server;
  }

  /** Waits for, or ends, what is left of servers over this folder; throws StartupError where one may still run. */
  clear(graceMs?: number): Promise<void> {
    return clearLeftovers(this.directory, this.lock, graceMs);
  }

  /** How the server is started; its settings are written. */
  async command(): Promise<KeptCommand> {
    await this.writeSettings();
    // The port is not in the settings: by it postmaster.pid tells this server from one that is started by hand.
    const command = [this.binaries.postgres, '-D', this.directory, '-p', String(this.options.port)];
    return {
      ...launchAs(this.account, command, [this.binaries.postgres, this.directory]),
      environment: { ...childEnvironment(), LC_ALL: 'C', DATA_DIR: dirname(this.directory) },
      // A fast shutdown with a checkpoint; an immediate one where that takes too long.
      signals: ['INT', 'QUIT'],
    };
  }

  /** Makes the database where it does not exist. */
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

  /** Whatever `work` starts with this descriptor holds the folder for as long as it lives. */
  private async holding<Result>(work: (inherits: number) => Result): Promise<Awaited<Result>> {
    const pipe = await this.lock.hold(purposeOf(this.options.port));
    try {
      return await work(pipe.descriptor);
    } finally {
      pipe.close();
    }
  }

  /** One that was told to stop by somebody else waits for its clients, which are ours and never go: it is ended. */
  private async endWhenStopping(server: SupervisedProcess): Promise<void> {
    await this.untilStopping(server);
    await server.stop(PATIENCE_SECONDS);
  }

  /** The file is read when it has changed: a look costs one system call instead of five. */
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

  /** The server's last lines, wherever it had come to when it wrote them. */
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
