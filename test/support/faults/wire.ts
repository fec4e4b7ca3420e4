import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A connection between a service and a store on loopback. A test can cut it without notice to either side, or slow it down. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
    private readonly delayMs: number,
  ) {}

  /** `delayMs` delays all data, each way. */
  static async to(target: number, delayMs = 0): Promise<Wire> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wire = new Wire(server, target, delayMs);
    server.on('connection', (near) => wire.join(near));
    return wire;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on no data arrives on either side. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause();
  }

  mend(): void {
    this.isCut = false;
    for (const socket of this.sockets) socket.resume();
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  /** The wire no longer keeps the process running. */
  unref(): this {
    this.server.unref();
    return this;
  }

  private join(near: Socket): void {
    const far = connect(this.target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from.setNoDelay());
      from.on('data', (bytes: Buffer) => this.later(() => to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        this.later(() => to.destroy());
      });
      if (this.isCut) from.pause();
    }
  }

  private later(work: () => void): void {
    if (this.delayMs === 0) work();
    else setTimeout(work, this.delayMs);
  }
}
