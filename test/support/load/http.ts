import { randomInt } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { sleep } from '../processes.js';
import { noteSecrets } from '../receiver.js';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly apiKey?: string | undefined;
  /** A bearer token. */
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. Its type is application/json unless a header gives another one. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The loopback address of the caller. Callers without an account are counted by it. */
  readonly from?: string | undefined;
  /** Timeout in milliseconds. The default is 30,000. */
  readonly timeoutMs?: number;
}

/** The connection broke or the timeout passed. The caller cannot know whether the request was served. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export type Json = Readonly<Record<string, unknown>>;

export class Answer {
  private parsed: Json | undefined;

  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    readonly text: string,
    /** Milliseconds from sending the request to the end of its response. */
    readonly took: number,
  ) {}

  get json(): Json {
    return (this.parsed ??= JSON.parse(this.text) as Json);
  }

  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  get code(): string | undefined {
    return this.text.startsWith('{') ? (this.json['error_code'] as string | undefined) : undefined;
  }
}

const bodyOf = (call: Call): string | Buffer | undefined =>
  call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));

const headersOf = (call: Call, body: string | Buffer | undefined): Record<string, string> => ({
  ...(body === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  ...(call.apiKey === undefined ? {} : { 'x-api-key': call.apiKey }),
  ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
  ...call.headers,
});

/** A call with a body is a POST unless it says otherwise. */
export const methodOf = ({ method, body, raw }: Call): string =>
  method ?? (body === undefined && raw === undefined ? 'GET' : 'POST');

/** Calls one instance of the service over connections that are kept open. */
export class Http {
  private readonly agent: Agent;

  constructor(
    readonly baseUrl: string,
    connections = 256,
    /** Secret of the instance's development identity provider, for callers that get tokens there. */
    readonly devSecret = '',
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  }

  /** Throws NoAnswer where no response arrived. */
  send(call: Call): Promise<Answer> {
    const body = bodyOf(call);
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.baseUrl}${call.path}`,
        {
          method: methodOf(call),
          agent: this.agent,
          headers: headersOf(call, body),
          ...(call.from === undefined ? {} : { localAddress: call.from }),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.once('error', (error) => reject(new NoAnswer(error.message, { cause: error })));
          incoming.once('end', () => {
            clearTimeout(overdue);
            const text = Buffer.concat(chunks).toString('utf8');
            noteSecrets(text);
            resolve(new Answer(incoming.statusCode ?? 0, incoming.headers, text, performance.now() - began));
          });
        },
      );
      const overdue = setTimeout(() => outgoing.destroy(new Error('no answer in time')), call.timeoutMs ?? 30_000);
      outgoing.once('error', (error) => {
        clearTimeout(overdue);
        reject(new NoAnswer(error.message, { cause: error }));
      });
      outgoing.end(body);
    });
  }

  /**
   * An operator has 6,000 requests per minute and 1,500 per second. A fast machine uses them up and then waits for Retry-After.
   */
  async sendAsOperator(call: Call): Promise<Answer> {
    for (;;) {
      const answer = await this.send(call);
      if (answer.status !== 429) return answer;
      await sleep(Number(answer.header('retry-after')) * 1_000);
    }
  }

  /** Sends the call. Throws unless the response has this status. */
  async expect(status: number, call: Call): Promise<Answer> {
    const answer = await (call.token === undefined ? this.send(call) : this.sendAsOperator(call));
    if (answer.status === status) return answer;
    throw new Error(`${call.method ?? ''} ${call.path}: ${answer.status} instead of ${status}\n${answer.text}`);
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Spec files that share a deployment begin at different ones. */
let address = randomInt(200 << 16);

/** A loopback address that no earlier call of this file came from. */
export const freshAddress = (): string => {
  address += 1;
  return `127.${1 + (address >> 16)}.${(address >> 8) & 0xff}.${address & 0xff}`;
};
