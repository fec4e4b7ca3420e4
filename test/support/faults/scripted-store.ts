import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo } from 'node:net';
import { wireFields, WireWriter } from '@kyc/esdb-wire/cursor';
import { Deframer } from '@kyc/esdb-wire/deframer';

const field = (buffer: Buffer, wanted: number): Buffer =>
  [...wireFields(buffer)].find(({ number }) => number === wanted)?.bytes ?? Buffer.alloc(0);

/** BatchAppendResp { correlation_id = 1, success = 3 { current_revision = 1, position = 3 { commit_position = 1 } } }. */
const success = (request: Buffer, revision: number): Buffer => {
  const correlation = field(request, 1);
  const message = new WireWriter(Buffer.alloc(2 + correlation.length + 2 + 6));
  message.header(1, correlation.length).bytes(correlation).header(3, 6);
  message.varint(8).varint(revision).header(3, 2).varint(8).varint(revision);
  const frame = Buffer.alloc(5 + message.buffer.length);
  frame.writeUInt32BE(message.buffer.length, 1);
  message.buffer.copy(frame, 5);
  return frame;
};

/** A call as the store sees it. Only the test responds to it. */
export class ScriptedCall {
  /** Each request as its bytes. */
  readonly requests: Buffer[] = [];
  private readonly deframer = new Deframer((message) => void this.requests.push(Buffer.from(message)));

  constructor(
    readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
  ) {
    stream.on('data', (chunk: Buffer) => this.deframer.push(chunk)).on('error', () => undefined);
  }

  /** The frame of a success, at this revision. */
  successOf(request: number, revision = request): Buffer {
    return success(this.requests[request] ?? Buffer.alloc(0), revision);
  }

  answer(...requests: number[]): void {
    this.send(Buffer.concat(requests.map((request) => this.successOf(request))));
  }

  send(bytes: Buffer): void {
    if (!this.stream.headersSent) this.respond({ ':status': 200, 'content-type': 'application/grpc' });
    this.stream.write(bytes);
  }

  /** Ends the call after the sent frames. */
  end(status: number, trailers: Record<string, string> = {}): void {
    if (!this.stream.headersSent) this.respond({ ':status': 200, 'content-type': 'application/grpc' });
    this.stream.once('wantTrailers', () => this.stream.sendTrailers({ 'grpc-status': String(status), ...trailers }));
    this.stream.end();
  }

  respond(headers: Record<string, string | number>): void {
    this.stream.respond(headers, { waitForTrailers: true });
  }

  /** Ends the call with a status and nothing before it. */
  refuse(status: number, trailers: Record<string, string> = {}): void {
    const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(status) };
    this.stream.respond({ ...headers, ...trailers }, { endStream: true });
  }
}

/** A server whose every response and fault the test scripts. */
export class ScriptedStore {
  readonly calls: ScriptedCall[] = [];
  readonly sessions: ServerHttp2Session[] = [];

  private constructor(private readonly server: Http2Server) {
    server.on('session', (session) => this.sessions.push(session.on('error', () => undefined)));
    server.on('stream', (stream, headers) => this.calls.push(new ScriptedCall(stream, headers)));
  }

  static async start(options: { readonly port?: number; readonly tls?: SecureServerOptions } = {}) {
    const server = options.tls === undefined ? createServer() : createSecureServer(options.tls);
    // The client may give up a handshake.
    server.on('sessionError', () => undefined).on('tlsClientError', () => undefined);
    const store = new ScriptedStore(server);
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    return store;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  call(index: number): ScriptedCall {
    const call = this.calls[index];
    if (call === undefined) throw new Error(`there is no call ${index} yet`);
    return call;
  }

  /** Acts like a killed process: connections break and the port closes. */
  async die(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const session of this.sessions) session.destroy();
    await closed;
  }
}
