import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Random } from '../load/random.js';

/** The fate of a statement on its way to Postgres. */
export type Fate = 'passes' | 'breaks' | 'stalls';

export interface ProxyOptions {
  readonly databaseUrl: string;
  /** Statements that contain this text, or were prepared with it, may meet a fault. All others pass. */
  readonly statement: RegExp;
  readonly random: Random;
  /** Percentages of such statements that break their connection or stall. */
  readonly breaking: number;
  readonly stalling: number;
  /** Duration of a stall, in milliseconds. */
  readonly stallFor: number;
}

/** A proxy between a service and its Postgres. It breaks or stalls the connections of chosen statements. */
export class PostgresProxy {
  readonly counts: Record<Fate, number> = { passes: 0, breaks: 0, stalls: 0 };
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly options: ProxyOptions,
    private readonly server: Server,
  ) {}

  static async start(options: ProxyOptions): Promise<PostgresProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new PostgresProxy(options, server);
    server.on('connection', (client: Socket) => proxy.relay(client));
    return proxy;
  }

  /** The service's DATABASE_URL. */
  get databaseUrl(): string {
    const url = new URL(this.options.databaseUrl);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private relay(client: Socket): void {
    const { hostname, port } = new URL(this.options.databaseUrl);
    const postgres = connect(Number(port), hostname);
    const close = (): void => {
      for (const socket of [client, postgres]) {
        socket.destroy();
        this.sockets.delete(socket);
      }
    };
    for (const socket of [client, postgres]) {
      this.sockets.add(socket.setNoDelay());
      socket.on('error', close).on('close', close);
    }
    postgres.pipe(client);
    const prepared = new PreparedStatements(this.options.statement);
    client.on('data', (chunk: Buffer) => {
      const fate = prepared.concerns(chunk) ? this.draw() : 'passes';
      if (fate === 'breaks') close();
      else if (fate === 'passes') postgres.write(chunk);
      else {
        client.pause();
        setTimeout(() => {
          postgres.write(chunk);
          client.resume();
        }, this.options.stallFor);
      }
    });
  }

  private draw(): Fate {
    const { random, breaking, stalling } = this.options;
    const chance = random.next() * 100;
    const drawn = chance < breaking ? 'breaks' : chance < breaking + stalling ? 'stalls' : 'passes';
    const fate = this.unmet() ?? drawn;
    this.counts[fate] += 1;
    return fate;
  }

  /** Each kind of fault comes once at first. A slow machine sends too few statements to leave it to chance. */
  private unmet(): Fate | undefined {
    const { breaking, stalling } = this.options;
    if (breaking > 0 && this.counts.breaks === 0) return 'breaks';
    return stalling > 0 && this.counts.stalls === 0 ? 'stalls' : undefined;
  }
}

/** Recognises a connection's statements by their text and, once prepared, by their name. */
class PreparedStatements {
  private readonly names = new Set<string>();

  constructor(private readonly wanted: RegExp) {}

  concerns(chunk: Buffer): boolean {
    const text = chunk.toString('latin1');
    const found = this.wanted.test(text);
    // A Parse message: P, four bytes of length, the statement's name, its text.
    for (const [, name = '', statement = ''] of text.matchAll(/P[\s\S]{4}([^\0]+)\0([^\0]+)\0/g)) {
      if (this.wanted.test(statement)) this.names.add(name);
    }
    return found || [...this.names].some((name) => text.includes(`\0${name}\0`));
  }
}
