import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';

const LOOK_EVERY = 100;
/** Milliseconds that a request whose body is still arriving has left once closing began. */
const ARRIVES_WITHIN = 5_000;

/**
 * Ends a server once its requests have ended. Node alone would wait for a connection that has sent nothing, or half a header,
 * as for one whose request is in flight.
 */
export class Drain {
  private readonly connections = new Set<Socket>();
  private readonly inFlight = new Map<ServerResponse, IncomingMessage>();
  /** Of the requests in flight those that one connection has sent: only the first of them is told of its end. */
  private readonly onConnection = new Map<Socket, Set<ServerResponse>>();
  /** Of the requests in flight those whose callers went away while they were worked on. */
  private readonly abandoned = new Set<ServerResponse>();

  constructor(private readonly server: FastifyInstance) {
    server.server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    // Before anything answers: what cannot be routed has no hooks.
    server.server.prependListener('request', (request, response) => this.began(request, response));
  }

  /** Accepts nothing more and waits for the requests in flight; false where they were cut off after `milliseconds`. */
  async close(milliseconds: number): Promise<boolean> {
    const begun = performance.now();
    let inTime = true;
    const look = setInterval(() => this.endQuiet(performance.now() - begun), LOOK_EVERY);
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

  private began(request: IncomingMessage, response: ServerResponse): void {
    this.forgetAnswered();
    this.inFlight.set(response, request);
    this.companions(request.socket).add(response);
    response.once('close', () => this.left(response));
  }

  private companions(socket: Socket): Set<ServerResponse> {
    let responses = this.onConnection.get(socket);
    if (responses === undefined) {
      const own = new Set<ServerResponse>();
      responses = own;
      this.onConnection.set(socket, own);
      socket.once('close', () => {
        for (const response of own) this.left(response);
        this.onConnection.delete(socket);
      });
    }
    return responses;
  }

  /** Work goes on for a caller who went away. */
  private left(response: ServerResponse): void {
    if (response.writableEnded) this.ended(response);
    else if (this.inFlight.has(response)) this.abandoned.add(response);
  }

  private ended(response: ServerResponse): void {
    const request = this.inFlight.get(response);
    if (request !== undefined) this.onConnection.get(request.socket)?.delete(response);
    this.inFlight.delete(response);
    this.abandoned.delete(response);
  }

  /** Nothing is told of an answer to a caller who is gone, but that it was written. */
  private forgetAnswered(): void {
    for (const response of this.abandoned) if (response.writableEnded) this.ended(response);
  }

  /** A connection whose request was in flight when closing began becomes idle later, and would stay open. */
  private endQuiet(closingFor: number): void {
    this.forgetAnswered();
    if (this.inFlight.size === 0) {
      this.endAll();
      return;
    }
    this.server.server.closeIdleConnections();
    if (closingFor < ARRIVES_WITHIN) return;
    for (const request of this.inFlight.values()) if (!request.complete) request.socket.destroy();
  }

  private endAll(): void {
    for (const socket of this.connections) socket.destroy();
  }

  /** Connections may all be gone before the work for one of them is. */
  private async untilAnswered(waiting: () => boolean): Promise<void> {
    while (this.inFlight.size > 0 && waiting()) await new Promise((resume) => setTimeout(resume, LOOK_EVERY));
  }
}
