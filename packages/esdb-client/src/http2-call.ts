import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { Deframer } from '@kyc/esdb-wire/deframer';
import { GrpcError, Status } from '@kyc/esdb-wire/status';

export interface CallEvents {
  /** The call reuses the buffer's bytes after this returns. */
  readonly message: (message: Buffer) => void;
  /** All messages of the last received data have been reported. */
  readonly arrived?: () => void;
  /** The call can take more again. */
  readonly drained?: () => void;
  /** The store begins no further call on this connection. */
  readonly goodbye?: () => void;
  /** Comes last, unless the call was cancelled. Undefined: the store ended the call normally. */
  readonly ended: (problem: Error | undefined) => void;
}

export interface CallConnection {
  /** The store has named the leader node. */
  readonly turnTo: (leader: string) => void;
  readonly probe: (timeoutMs: number) => void;
}

/** Limit of unsent bytes that a call buffers when the store does not take them. */
const MAX_UNSENT_BYTES = 1024 * 1024;

const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');

const decoded = (message: string): string => {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
};

const leaderOf = (trailers: IncomingHttpHeaders): string | undefined => {
  const [host, port] = [textOf(trailers['leader-endpoint-host']), textOf(trailers['leader-endpoint-port'])];
  return trailers['exception'] === 'not-leader' && host !== '' && port !== '' ? `${host}:${port}` : undefined;
};

const statusOf = (trailers: IncomingHttpHeaders): GrpcError | undefined => {
  const code = Number(trailers['grpc-status'] ?? Status.unknown);
  if (code === Status.ok) return undefined;
  const message = decoded(textOf(trailers['grpc-message']));
  return new GrpcError(code, message === '' ? `the store ended the call with status ${code}` : message, {
    exception: textOf(trailers['exception']),
  });
};

/** The store has not processed the call, so it may be repeated. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';

  constructor() {
    super('the store took no more calls on this connection');
  }
}

/** The client's side of a gRPC call. */
export class Http2Call {
  private over = false;
  private trailers: IncomingHttpHeaders | undefined;
  private readonly deframer: Deframer;
  private readonly onGoaway: () => void;
  private readonly session;

  constructor(
    private readonly stream: ClientHttp2Stream,
    private readonly events: CallEvents,
    private readonly connection: CallConnection,
  ) {
    this.deframer = new Deframer(events.message);
    this.onGoaway = () => events.goodbye?.();
    this.session = stream.session;
    this.session?.on('goaway', this.onGoaway);
    stream
      .on('response', (headers) => this.begun(headers))
      .on('trailers', (trailers: IncomingHttpHeaders) => this.closing(trailers))
      .on('data', (chunk: Buffer) => this.received(chunk))
      .on('drain', () => events.drained?.())
      .on('error', (error: Error) => this.end(this.refused ? new CallRefused() : error))
      .on('end', () => this.trailers !== undefined && this.finish(this.trailers))
      .on('close', () => this.end(new Error('the call was closed')));
  }

  /** Returns false if the caller should wait for `drained` before it writes more. */
  write(frames: Buffer): boolean {
    if (this.over) return true;
    return this.stream.write(frames) || this.stream.writableLength < MAX_UNSENT_BYTES;
  }

  /** Sends the last frame of this side. */
  finishWith(frame: Buffer): void {
    this.stream.end(frame);
  }

  /** Stops reading. The store may send no more than the window until `resume`. */
  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  /** Closes the connection, and with it every call, if it shows no sign of life within this time (milliseconds). */
  probe(timeoutMs: number): void {
    this.connection.probe(timeoutMs);
  }

  /** Ends the call without any further event. */
  cancel(): void {
    if (this.settle()) this.stream.close(constants.NGHTTP2_CANCEL);
  }

  private begun(headers: IncomingHttpHeaders & { ':status'?: number | undefined }): void {
    if (headers[':status'] !== 200) this.end(new Error(`the store answered HTTP status ${headers[':status']}`));
    else if (headers['grpc-status'] !== undefined) this.finish((this.trailers = headers));
  }

  /** Messages that arrived before the trailers are read first. */
  private closing(trailers: IncomingHttpHeaders): void {
    this.trailers = trailers;
    if (this.stream.readableEnded) this.finish(trailers);
  }

  private get refused(): boolean {
    return this.stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  }

  private received(chunk: Buffer): void {
    if (this.over) return;
    try {
      this.deframer.push(chunk);
    } catch (error) {
      this.end(error as Error);
      return;
    }
    this.events.arrived?.();
  }

  private finish(trailers: IncomingHttpHeaders): void {
    if (this.over) return;
    const leader = leaderOf(trailers);
    if (leader !== undefined) this.connection.turnTo(leader);
    const cut = this.deframer.unfinished ? new Error('the store ended the call in the middle of a message') : undefined;
    this.end(statusOf(trailers) ?? cut);
  }

  private end(problem: Error | undefined): void {
    if (!this.settle()) return;
    // A call that both sides have ended needs no reset. A store closes a connection that resets too many calls.
    const endedByBoth = this.trailers !== undefined && this.stream.writableEnded;
    if (!endedByBoth) this.stream.close(constants.NGHTTP2_CANCEL);
    this.events.ended(problem);
  }

  private settle(): boolean {
    if (this.over) return false;
    this.over = true;
    this.session?.off('goaway', this.onGoaway);
    return true;
  }
}
