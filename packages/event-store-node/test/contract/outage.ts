import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy in front of Postgres. It makes the server hang, like a stopped process, or vanish, like a killed one. */
export class Outage {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private hanging = false;

  private constructor(
    private readonly databaseUrl: URL,
    private port: number,
  ) {}

  static async before(databaseUrl: string): Promise<Outage> {
    const outage = new Outage(new URL(databaseUrl), 0);
    await outage.end();
    return outage;
  }

  get url(): string {
    const url = new URL(this.databaseUrl);
    url.port = String(this.port);
    return url.href;
  }

  async begin(kind: 'hangs' | 'is gone'): Promise<void> {
    if (kind === 'hangs') {
      this.hanging = true;
      for (const socket of this.sockets) socket.pause();
      return;
    }
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
    await (this.server && once(this.server, 'close'));
    this.server = undefined;
  }

  /** Data sent to a hanging server reaches it now, like a resumed process. */
  async end(): Promise<void> {
    this.hanging = false;
    for (const socket of this.sockets) socket.resume();
    if (this.server !== undefined) return;
    const server = createServer((client) => this.relay(client));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  close(): void {
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private relay(client: Socket): void {
    const postgres = connect(Number(this.databaseUrl.port), this.databaseUrl.hostname);
    for (const [from, to] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => this.sockets.delete(from));
      if (this.hanging) from.pause();
    }
  }
}
