import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Longest text that is looked for, so that one which lies across two chunks is found too. */
const OVERLAP = 64;

/**
 * What becomes of an append that names a type of event, and of all that follows it on its connection.
 * `unacknowledged`: it reaches the store, and no answer arrives. `held`: it arrives only once the test lets it.
 */
export type Fate = 'unacknowledged' | 'held';

interface Trap {
  readonly text: string;
  readonly fate: Fate;
  readonly sprung: () => void;
}

/** A connection between services and their event store. A test chooses the appends that it loses sight of. */
export class StoreWire {
  private readonly sockets = new Set<Socket>();
  private readonly held: (() => Promise<void>)[] = [];
  private trap: Trap | undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {}

  static async to(connectionString: string): Promise<StoreWire> {
    const target = Number(/:(\d+)/.exec(connectionString)?.[1]);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wire = new StoreWire(server, target);
    server.on('connection', (near) => wire.join(near));
    return wire;
  }

  /** The store's connection string by way of this wire. */
  by(connectionString: string): string {
    return connectionString.replace(`:${this.target}`, `:${(this.server.address() as AddressInfo).port}`);
  }

  /** From now on appends of this type of event meet that fate. Resolves with the first of them. */
  spring(text: string, fate: Fate): Promise<void> {
    return new Promise((sprung) => (this.trap = { text, fate, sprung }));
  }

  /** From now on every append passes. What is held stays held. */
  disarm(): void {
    this.trap = undefined;
  }

  /** Lets what was held arrive. Resolves once the store has dealt with it. */
  async release(): Promise<void> {
    this.disarm();
    await Promise.all(this.held.splice(0).map((deliver) => deliver()));
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(near: Socket): void {
    const far = connect(this.target, '127.0.0.1');
    for (const socket of [near, far]) this.sockets.add(socket.setNoDelay().on('error', () => undefined));
    let tail = '';
    let fate: Fate | undefined;
    const late: Buffer[] = [];
    near.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1');
      tail = text.slice(-OVERLAP);
      if (fate === undefined && this.trap !== undefined && text.includes(this.trap.text)) {
        fate = this.trap.fate;
        if (fate === 'held') this.held.push(() => this.deliver(far, late));
        this.trap.sprung();
      }
      if (fate === 'held') late.push(chunk);
      else far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => fate === undefined && near.write(chunk));
    near.on('close', () => fate === 'held' || far.destroy());
    far.on('close', () => near.destroy());
  }

  /** What was under way when its sender gave up arrives all the same. */
  private async deliver(far: Socket, late: readonly Buffer[]): Promise<void> {
    const dealtWith = Promise.race([once(far, 'data'), once(far, 'close')]);
    far.write(Buffer.concat(late));
    await dealtWith;
  }
}
