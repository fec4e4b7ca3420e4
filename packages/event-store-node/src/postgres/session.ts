import { Socket } from 'node:net';
import pg from 'pg';
import { ReplyTimeout } from './reply-timeout.js';

/** The connection is gone or did not answer in time. The statement may or may not have run. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
}

export interface Statement {
  /** The session prepares the statement once, under this name. */
  readonly name: string;
  readonly text: string;
}

/** A row as text, in the order of the selected columns. */
export type Row = readonly (string | null)[];

const asText: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** One Postgres connection with a time limit for every statement. A statement over its limit ends the connection. */
export class Session {
  private pending = 0;
  private broken: Error | undefined;
  private turn: Promise<void> = Promise.resolve();

  private constructor(
    private readonly client: pg.Client,
    private readonly socket: Socket,
  ) {}

  static async open(databaseUrl: string, timeoutMs: number): Promise<Session> {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: databaseUrl,
      stream: () => socket,
      types: asText,
      application_name: 'event-store-node',
    });
    const session = new Session(client, socket);
    client.on('error', (error) => session.lose(error));
    client.on('end', () => session.lose(new SessionLost('Postgres closed the connection')));
    await session.limited(() => client.connect(), timeoutMs);
    return session;
  }

  get lost(): boolean {
    return this.broken !== undefined;
  }

  /** Number of statements that wait for their result. */
  get load(): number {
    return this.pending;
  }

  /** Called at most once, when the connection is lost. */
  onLost: (error: Error) => void = () => undefined;

  /** Rejects without a query when `signal` aborts before its turn. */
  async query(
    statement: Statement,
    values: readonly unknown[],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Row[]> {
    const query = { ...statement, values: [...values], rowMode: 'array' as const };
    const ask = () => {
      signal?.throwIfAborted();
      return this.client.query<(string | null)[]>(query);
    };
    const result = await this.limited(ask, timeoutMs);
    return result.rows;
  }

  /** Runs statements without parameters as one simple query. */
  async run(sql: string, timeoutMs: number): Promise<void> {
    await this.limited(() => this.client.query(sql), timeoutMs);
  }

  /** Closes the connection in order with a healthy server. Cuts off a silent one after 500 ms. */
  async close(): Promise<void> {
    if (this.broken !== undefined) return;
    const forceCloseTimer = setTimeout(() => this.socket.destroy(), 500);
    this.broken = new SessionLost('the connection was closed');
    await this.client.end().catch(() => undefined);
    clearTimeout(forceCloseTimer);
  }

  destroy(): void {
    this.lose(new SessionLost('the connection was given up'));
  }

  /**
   * Runs one statement after another. The limit applies to the running one alone. When it passes the limit, the connection is
   * lost, together with all waiting statements.
   */
  private async limited<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    if (this.broken !== undefined) throw this.broken;
    this.pending += 1;
    const running = this.turn.then(() => this.withinLimit(work, timeoutMs));
    this.turn = running.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await running;
    } catch (error) {
      throw this.failure() ?? error;
    } finally {
      this.pending -= 1;
    }
  }

  private async withinLimit<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    const replyTimeout = new ReplyTimeout(this.socket, timeoutMs, () =>
      this.lose(new SessionLost(`Postgres did not answer in ${timeoutMs} ms`)),
    );
    try {
      return await work();
    } finally {
      replyTimeout.end();
    }
  }

  private failure(): Error | undefined {
    return this.broken;
  }

  private lose(error: Error): void {
    if (this.broken !== undefined) return;
    this.broken = error instanceof SessionLost ? error : new SessionLost(error.message, { cause: error });
    this.socket.destroy();
    this.onLost(this.broken);
  }
}
