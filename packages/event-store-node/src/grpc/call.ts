import { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { Deframer } from '@kyc/esdb-wire/deframer';
import { type GrpcError, Status } from '@kyc/esdb-wire/status';

const RESPONSE_HEADERS = { ':status': 200, 'content-type': 'application/grpc', 'grpc-accept-encoding': 'identity' };

/** gRPC requires ASCII in trailers: percent-encoding in messages, UTF-8 bytes elsewhere. */
const percentEncoded = (text: string) => text.replace(/[^ -$&-~]+/g, (rest) => encodeURIComponent(rest));

/** One gRPC call over its HTTP/2 stream. Responses are whole frames, so many can go out in one write. */
export class Call {
  private readonly closing = new AbortController();
  private outgoing: Buffer[] = [];
  private flushing = false;
  private ended = false;
  /**
   * `paused`: the handler takes no more requests for now. `congested`: the peer does not read its responses. Either stops
   * requests.
   */
  private paused = false;
  private congested = false;

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
    private readonly asGrpcError: (error: unknown) => GrpcError,
  ) {
    stream.once('close', () => this.closing.abort());
    // The peer's reset causes an error here. 'close' follows and is handled instead.
    stream.on('error', () => undefined);
    const timeout = timeoutOf(headers['grpc-timeout']);
    if (timeout !== undefined) this.limit(timeout);
  }

  /** Aborts when the call is over, whichever side ended it. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** Delivers every request message as it arrives. An error from a handler ends the call. */
  receive(onMessage: (message: Buffer) => void, onEnd: () => void): void {
    const deframer = new Deframer(onMessage);
    const guarded = (action: () => void) => {
      try {
        if (!this.ended) action();
      } catch (error) {
        this.fail(error);
      }
    };
    this.stream.on('data', (chunk: Buffer) => guarded(() => deframer.push(chunk)));
    this.stream.on('end', () => guarded(onEnd));
  }

  /** Takes no more requests for now. Requests of a chunk that has already arrived may still be delivered. */
  pause(): void {
    this.paused = true;
    this.stream.pause();
  }

  resume(): void {
    this.paused = false;
    this.takeRequests();
  }

  /** Sends frames in one write with all others of this turn of the event loop. */
  send(frames: Buffer): void {
    if (this.ended || this.stream.destroyed) return;
    this.outgoing.push(frames);
    if (this.flushing) return;
    this.flushing = true;
    process.nextTick(() => {
      this.flush();
      this.applyBackPressure();
    });
  }

  /** Sends frames now. Resolves when the peer has room for more, or when the call is over. */
  async sendAndDrain(frames: Buffer): Promise<void> {
    if (this.ended || this.stream.destroyed) return;
    this.outgoing.push(frames);
    if (this.flush()) return;
    await this.drained();
  }

  end(): void {
    this.finish(Status.ok, '', {});
  }

  fail(error: unknown): void {
    const { code, message, metadata } = this.asGrpcError(error);
    this.finish(code, message, metadata);
  }

  private finish(code: number, message: string, metadata: Readonly<Record<string, string>>): void {
    if (this.ended || this.stream.destroyed) return;
    this.flush();
    this.ended = true;
    const trailers: Record<string, string> = { 'grpc-status': String(code) };
    if (message !== '') trailers['grpc-message'] = percentEncoded(message);
    for (const [name, value] of Object.entries(metadata)) trailers[name] = Buffer.from(value).toString('latin1');
    if (this.stream.headersSent) {
      this.stream.once('wantTrailers', () => this.stream.sendTrailers(trailers));
      this.stream.end();
    } else {
      this.stream.respond({ ...RESPONSE_HEADERS, ...trailers }, { endStream: true });
    }
    // A client that still sends would otherwise keep a finished call open.
    this.stream.resume();
  }

  private flush(): boolean {
    this.flushing = false;
    const frames = this.outgoing;
    this.outgoing = [];
    if (this.ended || this.stream.destroyed || frames.length === 0) return true;
    if (!this.stream.headersSent) this.stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
    const [only] = frames;
    return this.stream.write(frames.length === 1 ? only : Buffer.concat(frames));
  }

  /** Stops requests from a client that does not read its responses. */
  private applyBackPressure(): void {
    if (!this.stream.writableNeedDrain || this.congested) return;
    this.congested = true;
    this.stream.pause();
    this.stream.once('drain', () => {
      this.congested = false;
      this.takeRequests();
    });
  }

  private takeRequests(): void {
    if (!this.paused && !this.congested && this.stream.isPaused()) this.stream.resume();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.stream.off('drain', done);
        this.stream.off('close', done);
        resolve();
      };
      this.stream.on('drain', done);
      this.stream.on('close', done);
    });
  }

  private limit(milliseconds: number): void {
    const timer = setTimeout(() => this.finish(Status.deadlineExceeded, 'Deadline exceeded', {}), milliseconds);
    this.closed.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }
}

const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
const MAX_TIMER = 2 ** 31 - 1;

/** Milliseconds of a grpc-timeout header. Undefined for a missing header and for a value beyond any timer. */
function timeoutOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const unit = UNITS[header.slice(-1)];
  const milliseconds = unit === undefined ? Number.NaN : Number(header.slice(0, -1)) * unit;
  return milliseconds <= MAX_TIMER ? milliseconds : undefined;
}
