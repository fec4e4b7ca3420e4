import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver does with a request, by its path. */
export type Behaviour = (request: Received, response: ServerResponse) => void;

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, headers).end();

/** The receiver's rules (docs/contract.md): 400 without the headers, 401 for a wrong or old signature, 200 otherwise. */
export const judging =
  (secretOf: () => string, now: () => Date): Behaviour =>
  ({ headers, body }, response) => {
    const signature = headers['x-service-signature'];
    const timestamp = headers['x-service-timestamp'];
    if (typeof signature !== 'string' || typeof timestamp !== 'string') return void response.writeHead(400).end();
    const wanted = `sha256=${createHmac('sha256', secretOf()).update(`${timestamp}.${body}`).digest('hex')}`;
    const matches = signature.length === wanted.length && timingSafeEqual(Buffer.from(signature), Buffer.from(wanted));
    const isFresh = Math.abs(now().getTime() / 1_000 - Number(timestamp)) <= 300;
    response.writeHead(matches && isFresh ? 200 : 401).end();
  };

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** The secrets of endpoints that answers to this process showed. */
const secrets = new Set<string>();

export const noteSecrets = (text: string): void => {
  for (const [secret] of text.matchAll(/whsec_[\w+/=]+/g)) secrets.add(secret);
};

const hexHmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** The answer of a willing receiver. Undefined where the body is no challenge. */
export const proofOf = ({ headers, body }: Received): string | undefined => {
  if (!body.includes('"endpoint.verification"')) return undefined;
  const { challenge } = (JSON.parse(body) as { data: { challenge?: string } }).data;
  if (challenge === undefined) return undefined;
  const signed = `${String(headers['x-service-timestamp'])}.${body}`;
  const secret = [...secrets].find((each) => headers['x-service-signature'] === `sha256=${hexHmac(each, signed)}`);
  return secret === undefined ? '' : hexHmac(secret, challenge);
};

/**
 * A real HTTP server that notes what arrives. A path without a behaviour answers 200. It proves the endpoints whose
 * secrets it knows and does not note their challenges, but at paths that are unwilling: there a challenge is a request as any other.
 */
export class TestReceiver {
  readonly received: Received[] = [];
  readonly behaviours = new Map<string, Behaviour>();
  readonly unwilling = new Set<string>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  static async start(): Promise<TestReceiver> {
    const receiver = new TestReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): readonly Received[] {
    return this.received.filter((request) => request.path === path);
  }

  /** The ids of the events that arrived at this path. */
  ids(path: string): readonly string[] {
    return this.at(path).map(({ body }) => (JSON.parse(body) as { id: string }).id);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = { path: request.url ?? '', headers: request.headers, body: await bodyOf(request) };
    const proof = this.unwilling.has(received.path) ? undefined : proofOf(received);
    if (proof !== undefined) {
      response.end(proof);
      return;
    }
    this.received.push(received);
    (this.behaviours.get(received.path) ?? answering(200))(received, response);
  }
}
