import pg from 'pg';
import { hash } from 'node:crypto';
import { types } from 'node:util';
import { systemClock } from '../../kernel/clock.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { CANNOT_SERVE } from './sql-states.js';
import { HealthProbe, probeBudgetOf } from '../health-probe.js';
import { copyInto } from './copy-rows.js';

/** Postgres is known to be away, so nothing was sent to it. */
export class StatementNotSent extends Unavailable {
  constructor() {
    super('postgres');
  }
}

/** A transaction or a pool that runs a statement. `name` prepares it once per connection and text. */
export interface Queryable {
  query<Row extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
}

/** What the connections of a pool do at this moment. */
export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** The most connections that it opens. */
  readonly most: number;
}

export interface DatabaseOptions {
  readonly connectionString: string;
  readonly maxConnections?: number;
  /** Budget of a query in milliseconds, including the wait for a connection (default 1,500). */
  readonly budgetMs?: number;
  /** Schemas in which connections look up tables (default public). */
  readonly searchPath?: string;
  readonly applicationName?: string;
}

/** How the driver says without a code that a connection is gone or does not answer. An error of our own code says none of it. */
const GONE = /connect|terminated|timeout|timed out|queryable|socket|ssl|pool after calling end/i;

const meansUnavailable = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false;
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  if (error instanceof pg.DatabaseError || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))) {
    return typeof code === 'string' && (CANNOT_SERVE.test(code) || code === '57014');
  }
  return syscall !== undefined || (error.name === 'AggregateError' && code !== undefined) || GONE.test(error.message);
};

/** One name for one text: Postgres refuses another text under a name that its connection has prepared. */
const preparedName = (name: string, text: string): string => `${name}-${hash('sha1', text, 'hex').slice(0, 12)}`;

const statementOf = (text: string, values: readonly unknown[], name: string | undefined): pg.QueryConfig => ({
  text,
  values: [...values],
  ...(name === undefined ? {} : { name: preparedName(name, text) }),
});

/** Postgres answered, and refused the statement. */
export const isRefusedStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !meansUnavailable(error);

const asUnavailable = (error: unknown): unknown =>
  meansUnavailable(error) ? new Unavailable('postgres', { cause: error }) : error;

/**
 * The only access to Postgres. Throws Unavailable if it does not answer within the budget. Throws it at once while the
 * probe fails.
 */
export class Database implements Queryable {
  private readonly pool: pg.Pool;
  private readonly budgetMs: number;
  private readonly probe: HealthProbe;
  private repliedAt = 0;

  constructor(options: DatabaseOptions) {
    this.budgetMs = options.budgetMs ?? 1_500;
    this.pool = new pg.Pool({
      connectionString: options.connectionString,
      max: options.maxConnections ?? 10,
      connectionTimeoutMillis: this.budgetMs,
      statement_timeout: this.budgetMs,
      query_timeout: this.budgetMs,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      application_name: options.applicationName ?? 'kyc',
      ...(options.searchPath === undefined ? {} : { options: `-c search_path=${options.searchPath}` }),
    });
    // The pool replaces a connection that breaks while idle. A connection that breaks within a transaction fails the
    // next statement. Without listeners both errors would end the process.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.probe = new HealthProbe({
      clock: systemClock,
      probe: () => this.within(probeBudgetOf(this.budgetMs), this.pool.query('SELECT 1')),
      lastReplyAt: () => this.repliedAt,
      // The pool replaces broken connections by itself.
      renew: () => undefined,
    });
  }

  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most: options.max };
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    this.refuseWhileAway();
    const { rows } = await this.within(this.budgetMs, this.pool.query<Row>(statementOf(text, values, name)));
    return rows;
  }

  /** Runs a COPY … FROM STDIN of `rows`, which are in COPY's text format. */
  async copy(text: string, rows: Buffer): Promise<void> {
    this.refuseWhileAway();
    const client = await this.connect();
    try {
      await this.within(this.budgetMs, copyInto(client, text, rows));
      client.release();
    } catch (error) {
      // A COPY that did not end leaves the connection in an unknown state.
      client.release(true);
      throw error;
    }
  }

  /** Runs a slow statement outside transactions, such as VACUUM, in at most `budgetMs`. */
  async maintain(text: string, budgetMs: number): Promise<void> {
    this.refuseWhileAway();
    const client = await this.connect();
    try {
      await this.within(this.budgetMs, client.query(`SET statement_timeout = ${Math.ceil(budgetMs)}`));
      const statement = { text, query_timeout: budgetMs };
      await this.within(budgetMs, client.query(statement));
    } finally {
      // Its settings differ from those of the pool.
      client.release(true);
    }
  }

  /** Runs `work` in one transaction; a failure rolls back. A connection in an unknown state is dropped. */
  async transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    this.refuseWhileAway();
    const client = await this.connect();
    const transaction: Queryable = {
      query: async <Row extends object>(text: string, values: readonly unknown[] = [], name?: string) => {
        const { rows } = await this.within(this.budgetMs, client.query<Row>(statementOf(text, values, name)));
        return rows;
      },
    };
    try {
      await transaction.query('BEGIN');
      const result = await work(transaction);
      await transaction.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      const broken = error instanceof Unavailable || (await this.rollBackFails(transaction));
      client.release(broken);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.probe.stop();
    await this.pool.end();
  }

  private async connect(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  private async rollBackFails(transaction: Queryable): Promise<boolean> {
    return transaction.query('ROLLBACK').then(
      () => false,
      () => true,
    );
  }

  private refuseWhileAway(): void {
    if (!this.probe.healthy) throw new StatementNotSent();
  }

  /** The pool limits the wait for a connection and the statement separately. A caller has one limit for both. */
  private async within<Result>(budgetMs: number, work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable('postgres')), budgetMs);
    });
    try {
      const result = await Promise.race([work, late]);
      this.repliedAt = systemClock.monotonic();
      return result;
    } catch (error) {
      if (error instanceof pg.DatabaseError) this.repliedAt = systemClock.monotonic();
      throw error instanceof Unavailable ? error : asUnavailable(error);
    } finally {
      clearTimeout(timer);
    }
  }
}
