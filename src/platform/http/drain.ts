import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';

const LOOK_EVERY = 100;

/**
 * Ends a server once its requests have ended. Node alone would wait for a connection that has sent nothing, or half a header,
 * as for one whose request is in flight.
 */
export class Drain {
  private readonly connections = new Set<Socket>();
  private readonly inFlight = new Set<ServerResponse>();

  /** To be made before any hook that takes its time: a request counts from its arrival. */
  constructor(private readonly server: FastifyInstance) {
    server.server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    server.addHook('onRequest', (_request, reply, done) => {
      this.began(reply.raw);
      done();
    });
  }

  /** To be called after the hooks that still work when an answer is sent: a request whose caller is gone ends there. */
  noteAnswers(): void {
    this.server.addHook('onSend', (_request, reply, payload, done) => {
      if (reply.raw.destroyed) this.inFlight.delete(reply.raw);
      done(null, payload);
    });
  }

  /** Accepts nothing more and waits for the requests in flight; false where they were cut off after `milliseconds`. */
  async close(milliseconds: number): Promise<boolean> {
    let inTime = true;
    const look = setInterval(() => this.endQuiet(), LOOK_EVERY);
    const impatience = setTimeout(() => {
      inTime = false;
      this.endAll();
    }, milliseconds);
    try {
      await this.server.close();
      await this.untilAnswered(() => inTime);
      return inTime;
    } finally {
      clearInterval(look);
      clearTimeout(impatience);
    }
  }

  private began(response: ServerResponse): void {
    this.inFlight.add(response);
    // Work goes on for a caller who went away before the answer.
    response.once('close', () => {
      if (response.writableEnded) this.inFlight.delete(response);
    });
  }

  /** A connection whose request was in flight when closing began becomes idle later, and would stay open. */
  private endQuiet(): void {
    if (this.inFlight.size === 0) this.endAll();
    else this.server.server.closeIdleConnections();
  }

  private endAll(): void {
    for (const socket of this.connections) socket.destroy();
  }

  /** Connections may all be gone before the work for one of them is. */
  private async untilAnswered(waiting: () => boolean): Promise<void> {
    while (this.inFlight.size > 0 && waiting()) await new Promise((resume) => setTimeout(resume, LOOK_EVERY));
  }
}
