import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { type Socket } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { type ConnectionSettings } from './connection-settings.js';
import { type CallEvents, Http2Call } from './http2-call.js';

/** Milliseconds between pings, and for which an answer is waited. */
export interface KeepAlive {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

const KEEP_ALIVE: KeepAlive = { everyMs: 10_000, timeoutMs: 5_000 };

export interface Http2ConnectionOptions {
  readonly settings: Pick<ConnectionSettings, 'tls' | 'credentials' | 'authorization'>;
  /** Host and port of the node to call. Resolved for each connection, because the leader may change. */
  readonly resolve: () => Promise<string>;
  readonly connectionName: () => string;
  /** Bytes that a call may receive before they are taken (default: HTTP/2's 64 KiB). */
  readonly windowBytes?: number;
  readonly keepAlive?: KeepAlive;
}

/** Adds the credentials that the official client sends only under TLS. */
const authorizationOf = ({
  tls,
  credentials,
  authorization,
}: Http2ConnectionOptions['settings']): string | undefined =>
  tls.insecure === true || credentials === undefined
    ? authorization
    : `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;

/** Ends a connection whose peer does not answer a ping in time. */
const probe = (session: ClientHttp2Session, timeoutMs: number): void => {
  if (session.destroyed) return;
  let answered = false;
  session.ping(() => (answered = true));
  const judge = (): void => {
    if (!answered) session.destroy(new Error('the connection shows no life'));
  };
  // An answer that arrived while this process was busy is read first.
  setTimeout(() => setImmediate(judge), timeoutMs).unref();
};

/** gRPC calls over one HTTP/2 connection, which opens on demand. */
export class Http2Connection {
  private session: Promise<ClientHttp2Session> | undefined;
  /** The leader that another node named. It is used for one connection only. */
  private leader: string | undefined;

  constructor(private readonly options: Http2ConnectionOptions) {}

  /** Reports no events before the promise resolves. */
  async call(path: string, events: CallEvents): Promise<Http2Call> {
    const present = this.session ?? this.connected();
    const session = await present;
    const stream = session.request(this.headers(path), { endStream: false });
    return new Http2Call(stream, events, {
      turnTo: (leader) => {
        this.leader = leader;
        this.leave(present);
        session.close();
      },
      probe: (timeoutMs) => probe(session, timeoutMs),
    });
  }

  disconnect(): void {
    const present = this.session;
    this.session = undefined;
    present?.then(
      (session) => session.destroy(),
      () => undefined,
    );
  }

  private connected(): Promise<ClientHttp2Session> {
    const { leader } = this;
    this.leader = undefined;
    const present: Promise<ClientHttp2Session> = (
      leader === undefined ? this.options.resolve() : Promise.resolve(leader)
    ).then((endpoint) => this.connect(endpoint, () => this.leave(present)));
    this.session = present;
    present.catch(() => this.leave(present));
    return present;
  }

  private leave(session: Promise<ClientHttp2Session>): void {
    if (this.session === session) this.session = undefined;
  }

  private connect(endpoint: string, leave: () => void): ClientHttp2Session {
    const { windowBytes } = this.options;
    const { tls } = this.options.settings;
    const settings = windowBytes === undefined ? {} : { settings: { initialWindowSize: windowBytes } };
    const session =
      tls.insecure === true
        ? connect(`http://${endpoint}`, settings)
        : connect(`https://${endpoint}`, {
            ...settings,
            ...(tls.rootCertificate === undefined ? {} : { ca: tls.rootCertificate }),
            ...(tls.userCertFile === undefined ? {} : { cert: tls.userCertFile }),
            ...(tls.userKeyFile === undefined ? {} : { key: tls.userKeyFile }),
          });
    session.setMaxListeners(0);
    session.on('connect', (_, socket: Socket | TLSSocket) => {
      // Node reports it of a session that was ended meanwhile, too.
      if (session.destroyed) return;
      socket.setNoDelay(true);
      if (windowBytes !== undefined) session.setLocalWindowSize(windowBytes);
      if ('alpnProtocol' in socket && socket.alpnProtocol !== 'h2') session.destroy(new Error('no HTTP/2 over TLS'));
    });
    // The error reaches the callers through the calls of the session.
    session.on('error', leave).on('goaway', leave);
    const { everyMs, timeoutMs } = this.options.keepAlive ?? KEEP_ALIVE;
    const keepAlive = setInterval(() => probe(session, timeoutMs), everyMs).unref();
    session.on('close', () => {
      clearInterval(keepAlive);
      leave();
    });
    return session;
  }

  private headers(path: string): OutgoingHttpHeaders {
    const authorization = authorizationOf(this.options.settings);
    return {
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'connection-name': this.options.connectionName(),
      // A former leader may return older data than was already answered.
      'requires-leader': 'true',
      ...(authorization === undefined ? {} : { authorization }),
    };
  }
}
