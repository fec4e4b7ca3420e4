import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * One HTTP/1.1 connection with one request at a time. It understands only the responses of the servers under test: a body with
 * a Content-Length. The generator then takes little of the shared processors.
 */
export class Connection {
  private readonly socket: Socket;
  private received = '';
  private answered: ((answer: HttpAnswer) => void) | undefined;
  private failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk: string) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed the connection')));
  }

  static open(host: string, port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, host, () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      }).once('error', reject);
    });
  }

  request(text: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.answered = resolve;
      this.failed = reject;
      this.socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.fail(new Error('the connection was closed'));
    this.socket.destroy();
  }

  private take(chunk: string): void {
    this.received = this.received === '' ? chunk : this.received + chunk;
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = LENGTH.exec(this.received.slice(0, headEnd))?.[1];
    if (length === undefined) {
      this.fail(new Error(`an answer without length:\n${this.received}`));
      return;
    }
    const bodyStart = headEnd + HEAD_END.length;
    if (this.received.length < bodyStart + Number(length)) return;
    const answer = { status: Number(this.received.slice(9, 12)), body: this.received.slice(bodyStart) };
    this.received = '';
    const answered = this.answered;
    this.answered = this.failed = undefined;
    answered?.(answer);
  }

  private fail(error: Error): void {
    const failed = this.failed;
    this.answered = this.failed = undefined;
    failed?.(error);
  }
}
