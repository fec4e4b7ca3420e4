import { type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Answer } from '../load/http.js';

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  /** Sent as they stand, one byte a character, in this order. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
  /** The loopback address of the caller. */
  readonly from?: string;
}

export const headOf = ({ method = 'GET', path, headers = [] }: RawRequest): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    'latin1',
  );

/** The final answer that these bytes hold whole. Undefined before. */
const answerIn = (received: Buffer): Answer | undefined => {
  const text = received.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(line.split(' ')[1]);
  if (status < 200) return answerIn(received.subarray(end + 4));
  const headers: IncomingHttpHeaders = {};
  for (const header of lines) {
    const colon = header.indexOf(':');
    headers[header.slice(0, colon).toLowerCase()] = header.slice(colon + 1).trim();
  }
  const body = received.subarray(end + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return new Answer(status, headers, body.toString('utf8'), 0);
};

/** A connection of our own, on which a test may send half a request. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private ended = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => (this.received = Buffer.concat([this.received, bytes])));
    socket.on('error', () => undefined).once('close', () => (this.ended = true));
  }

  static open(baseUrl: string, from?: string): Promise<RawConnection> {
    const { hostname: host, port } = new URL(baseUrl);
    return new Promise((resolve, reject) => {
      const socket = connect(
        { host, port: Number(port), ...(from === undefined ? {} : { localAddress: from }) },
        () => {
          socket.off('error', reject);
          resolve(new RawConnection(socket));
        },
      );
      socket.once('error', reject);
    });
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** What was answered so far. */
  get answer(): Answer | undefined {
    return answerIn(this.received);
  }

  get closed(): boolean {
    return this.ended;
  }

  /** Resolves with the answer, or with undefined once the connection has closed without one. */
  whole(): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.answer !== undefined || this.ended) resolve(this.answer);
      };
      this.socket.on('data', look).once('close', look);
      look();
    });
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** Sends one request, whatever its bytes. Throws where the connection closed without an answer. */
export const sendRaw = async (baseUrl: string, request: RawRequest): Promise<Answer> => {
  const connection = await RawConnection.open(baseUrl, request.from);
  connection.write(Buffer.concat([headOf(request), Buffer.from(request.body ?? '')]));
  const answer = await connection.whole();
  connection.destroy();
  if (answer === undefined) throw new Error(`${request.method ?? 'GET'} ${request.path}: no answer`);
  return answer;
};
