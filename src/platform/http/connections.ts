import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** What Node hands over as a bare socket, answered in its turn: behind what was asked before on that connection. */
export class Connections {
  private readonly last = new WeakMap<
    Socket,
    { readonly request: IncomingMessage; readonly response: ServerResponse }
  >();

  constructor(private readonly server: Server) {
    server.prependListener('request', (request, response) => this.last.set(request.socket, { request, response }));
    server.on('connect', (request, socket) => this.answerConnect(request, socket as Socket));
  }

  /** Calls back once all requests that arrived whole on this connection are answered (RFC 9112 section 9.3.2). */
  afterAnswers(socket: Socket, then: () => void): void {
    const last = this.last.get(socket);
    // What was found at fault may be the body of that very request, which then waits for it in vain.
    if (last === undefined || !last.request.complete || last.response.writableFinished) then();
    else last.response.once('close', then);
  }

  /** Nothing is tunnelled here: CONNECT is a request like any other, the last one on its connection. */
  private answerConnect(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy()).resume();
    this.afterAnswers(socket, () => {
      if (!socket.writable) return;
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => socket.destroySoon());
      this.server.emit('request', request, response);
    });
  }
}
