import { chown, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type Account, launchAs, postgresAccount } from './account.js';
import { postgresBinaries, type PostgresBinaries } from './binaries.js';
import { initialiseCluster, SUPERUSER } from './initialise.js';
import { clearLeftovers } from './leftovers.js';
import { EMBEDDED_SETTINGS, settingsFile } from './settings.js';
import { childEnvironment } from '../../config/child-environment.js';
import { type KeptCommand, KeptProcess } from '../kept-process.js';
import { StartupError } from '../startup-error.js';

/** A recovery after a crash replays at most max_wal_size of log; slower than this and something is wrong. */
const READY_MS = 120_000;
const POLL_MS = 20;
/** The eighth line of the lock file says whether connections are taken (pg_ctl reads it likewise). */
const STATUS_LINE = 7;

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
  ) {}

  static async prepare(options: ClusterOptions): Promise<PostgresCluster> {
    const binaries = await postgresBinaries();
    const account = postgresAccount();
    await mkdir(dirname(options.directory), { recursive: true });
    const directory = join(
      await realpath(dirname(options.directory)),
      options.directory.slice(dirname(options.directory).length),
    );
    if (!(await exists(join(directory, 'PG_VERSION')))) {
      await initialiseCluster(binaries, account, directory, options.password);
    }
    return new PostgresCluster(options, directory, binaries, account);
  }

  url(database: string): string {
    return `postgresql://${SUPERUSER}:${encodeURIComponent(this.options.password)}@127.0.0.1:${this.options.port}/${encodeURIComponent(database)}`;
  }

  /** Starts the server and waits until it takes connections. */
  async start({ graceMs, signal }: StartOptions = {}): Promise<KeptProcess> {
    await clearLeftovers(this.directory, graceMs);
    const server = new KeptProcess(await this.command());
    await this.untilReady(server, signal);
    return server;
  }

  /** How the server is started; its settings are written. */
  async command(): Promise<KeptCommand> {
    await this.writeSettings();
    const command = [this.binaries.postgres, '-D', this.directory];
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

  private async writeSettings(): Promise<void> {
    const file = join(this.directory, 'postgresql.conf');
    await writeFile(file, settingsFile({ ...EMBEDDED_SETTINGS, ...this.options.settings, port: this.options.port }), {
      mode: 0o600,
    });
    if (this.account !== undefined) await chown(file, this.account.uid, this.account.gid);
  }

  private async untilReady(server: KeptProcess, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (server.running && signal?.aborted !== true && performance.now() < deadline) {
      if (await this.takesConnections()) return;
      await sleep(POLL_MS);
    }
    await server.stop(1);
    throw new StartupError(
      `The embedded Postgres in ${this.directory} did not start:\n${await this.explanation(server)}`,
    );
  }

  private async takesConnections(): Promise<boolean> {
    const lock = await readFile(join(this.directory, 'postmaster.pid'), 'utf8').catch(() => '');
    return lock.split('\n')[STATUS_LINE]?.trim() === 'ready';
  }

  /** The server's last lines, wherever it had come to when it wrote them. */
  private async explanation(server: KeptProcess): Promise<string> {
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
