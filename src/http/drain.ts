import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';
import { pause } from '../kernel/pause.js';

const POLL_INTERVAL_MS = 100;
/** Milliseconds that a request body may still take to arrive after closing began. */
const ARRIVES_WITHIN = 5_000;

/**
 * Closes a server once its requests have ended. Node alone also waits for a connection that has sent nothing, or only half a
 * header.
 */
export class Drain {
  private readonly connections = new Set<Socket>();
  private readonly inFlight = new Map<ServerResponse, IncomingMessage>();
  /** The requests in flight by connection. Node reports the connection's end to the first of them only. */
  private readonly onConnection = new Map<Socket, Set<ServerResponse>>();
  /** Responses still in progress whose callers have disconnected. */
  private readonly abandoned = new Set<ServerResponse>();

  private leaving = false;

  constructor(private readonly server: FastifyInstance) {
    server.server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    // Prepended, so that it runs before any response. Requests that cannot be routed run no hooks.
    server.server.prependListener('request', (request, response) => this.began(request, response));
  }

  /** From now on each answer ends its connection, so that no caller keeps one that is about to close. */
  leave(): void {
    this.leaving = true;
  }

  /** Accepts nothing more and waits for the requests in flight. Returns false if they were cut off after `milliseconds`. */
  async close(milliseconds: number): Promise<boolean> {
    const begun = performance.now();
    let inTime = true;
    const look = setInterval(() => this.endQuiet(performance.now() - begun), POLL_INTERVAL_MS);
    const drainDeadline = setTimeout(() => {
      inTime = false;
      this.endAll();
    }, milliseconds);
    try {
      await this.server.close();
      await this.untilAnswered(() => inTime);
      return inTime;
    } finally {
      clearInterval(look);
      clearTimeout(drainDeadline);
    }
  }

  private began(request: IncomingMessage, response: ServerResponse): void {
    this.forgetAnswered();
    if (this.leaving) response.shouldKeepAlive = false;
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

  /** The work continues after its caller has disconnected, but for a stream: its rest is never written. */
  private left(response: ServerResponse): void {
    if (response.writableEnded || response.headersSent) this.ended(response);
    else if (this.inFlight.has(response)) this.abandoned.add(response);
  }

  private ended(response: ServerResponse): void {
    const request = this.inFlight.get(response);
    if (request !== undefined) this.onConnection.get(request.socket)?.delete(response);
    this.inFlight.delete(response);
    this.abandoned.delete(response);
  }

  /** If the caller has disconnected, no event announces the end of a response. Only `writableEnded` shows it. */
  private forgetAnswered(): void {
    for (const response of this.abandoned) if (response.writableEnded) this.ended(response);
  }

  /** A connection with a request in flight when closing began becomes idle later, and would stay open. */
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

  /** All connections may close before the work for one of them ends. */
  private async untilAnswered(waiting: () => boolean): Promise<void> {
    while (this.inFlight.size > 0 && waiting()) await pause(POLL_INTERVAL_MS);
  }
}
