import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, type Socket } from 'node:net';
import { Call } from './call.js';
import { ResetAllowance } from './reset-allowance.js';
import { GrpcError, Status } from '@kyc/esdb-wire/status';

/** Serves a call to its end. A thrown error becomes the call's status. */
export type Handler = (call: Call) => Promise<void> | void;

const WINDOW_BYTES = 4 * 1024 * 1024;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/**
 * The memory for calls of clients that do not read. Each call holds at most one write: 64 KB, or one row of up to about 4 MB.
 * About 100 of the largest or 8,000 ordinary ones fit on a connection before it refuses new calls. Node's own limit is 10 MB.
 */
const SESSION_MEMORY_MB = 512;
/** Number of calls refused for that memory before the connection ends with all its calls. A refusal is a cheap gRPC status. */
const REFUSED_STREAMS = 100_000;

/**
 * gRPC over node:http2. Callers write the frames themselves, hundreds in one write. The message-at-a-time interface of a gRPC
 * library does not allow that.
 */
export class GrpcServer {
  private readonly server: Http2Server;
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly calls = new Set<Call>();

  constructor(
    private readonly handlers: ReadonlyMap<string, Handler>,
    private readonly asGrpcError: (error: unknown) => GrpcError,
    private readonly unimplemented: (path: string) => GrpcError,
  ) {
    this.server = createServer({
      settings: { initialWindowSize: WINDOW_BYTES, maxConcurrentStreams: 10_000, maxFrameSize: 256 * 1024 },
      maxSessionMemory: SESSION_MEMORY_MB,
      maxSessionRejectedStreams: REFUSED_STREAMS,
    });
    this.server.on('connection', (socket: Socket) => socket.setNoDelay(true));
    this.server.on('session', (session) => this.adopt(session));
    this.server.on('stream', (stream, headers) => {
      const call = new Call(stream, headers, this.asGrpcError);
      this.calls.add(call);
      call.closed.addEventListener('abort', () => this.calls.delete(call), { once: true });
      void this.handle(call, String(headers[':path']));
    });
  }

  /** Listens on loopback and returns the port. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends every open call as unavailable, so that clients look for another connection. Then closes the port. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const call of this.calls) call.fail(new GrpcError(Status.unavailable, 'the event store is stopping'));
    for (const session of this.sessions) session.close();
    const forceCloseTimer = setTimeout(() => this.sessions.forEach((session) => session.destroy()), 500);
    await closed;
    clearTimeout(forceCloseTimer);
  }

  private adopt(session: ServerHttp2Session): void {
    this.sessions.add(session);
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    session.on('close', () => this.sessions.delete(session));
    // The client reset the connection. Its calls see 'close'.
    session.on('error', () => undefined);
    const allowance = new ResetAllowance(() => performance.now());
    session.on('stream', (stream: ServerHttp2Stream) => {
      stream.once('close', () => {
        // Running calls finish. Clients open a new connection for new calls.
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR && allowance.spend() && !session.closed) session.close();
      });
    });
  }

  private async handle(call: Call, path: string): Promise<void> {
    try {
      const handler = this.handlers.get(path);
      if (handler === undefined) throw this.unimplemented(path);
      await handler(call);
    } catch (error) {
      call.fail(error);
    }
  }
}
