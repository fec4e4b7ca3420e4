import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The answer that has yet to go before this one. */
  readonly before: ServerResponse | undefined;
}

const afterAnswer = (response: ServerResponse | undefined, then: () => void): void => {
  if (response === undefined || response.writableFinished) then();
  else response.once('close', then);
};

/** What Node hands over as a bare socket, answered in its turn: behind what was asked before on that connection. */
export class Connections {
  private readonly last = new WeakMap<Socket, Exchange>();

  constructor(private readonly server: Server) {
    server.prependListener('request', (request, response) => {
      const before = this.last.get(request.socket)?.response;
      const pending = before?.writableFinished === false ? before : undefined;
      this.last.set(request.socket, { request, response, before: pending });
    });
    server.on('connect', (request, socket) => this.answerConnect(request, socket as Socket));
  }

  /** Calls back once all requests that arrived whole on this connection are answered (RFC 9112 section 9.3.2). */
  afterAnswers(socket: Socket, then: () => void): void {
    const last = this.last.get(socket);
    if (last === undefined || last.request.complete) afterAnswer(last?.response, then);
    else afterAnswer(last.before, () => this.answerBody(socket, last.response, then));
  }

  /** Whoever waits for a body that is at fault waits in vain; where it was not waited for, its request has its answer. */
  private answerBody(socket: Socket, response: ServerResponse, answer: () => void): void {
    if (response.writableEnded) afterAnswer(response, () => socket.destroySoon());
    else answer();
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
