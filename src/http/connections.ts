import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The response that must be sent before this one. */
  readonly before: ServerResponse | undefined;
}

const afterAnswer = (response: ServerResponse | undefined, then: () => void): void => {
  if (response === undefined || response.writableFinished) then();
  else response.once('close', then);
};

/** Orders responses on bare sockets from Node behind the responses to earlier requests on the same connection. */
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

  /** Calls back once all completely received requests on this connection have their responses (RFC 9112 section 9.3.2). */
  afterAnswers(socket: Socket, then: () => void): void {
    const last = this.last.get(socket);
    if (last === undefined || last.request.complete) afterAnswer(last?.response, then);
    else afterAnswer(last.before, () => this.answerBody(socket, last.response, then));
  }

  /**
   * Handles a faulty body. If its request has its response already, closes the connection. Otherwise calls `answer`, since
   * nothing else responds.
   */
  private answerBody(socket: Socket, response: ServerResponse, answer: () => void): void {
    if (response.writableEnded) afterAnswer(response, () => socket.destroySoon());
    else answer();
  }

  /** The service tunnels nothing: CONNECT is an ordinary request, and the last one on its connection. */
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
