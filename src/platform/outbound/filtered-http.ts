import { type OnApplicationShutdown } from '@nestjs/common';
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  type IncomingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { reasonOf } from './failure-reasons.js';
import { AddressRefused, filteredLookUp, type Resolve } from './filtered-look-up.js';
import { OutboundHttp, type OutboundRead, type OutboundRequest, type OutboundResult } from './outbound-http.js';
import { problemOfUrl, REFUSED_ADDRESS, type UrlRules } from './url-rules.js';

export interface FilteredHttpOptions extends UrlRules {
  readonly resolve: Resolve;
  /** Certificate authorities in PEM instead of the usual ones. */
  readonly authorities?: string;
  /** Milliseconds for look-up, connection and TLS handshake (5,000). */
  readonly connectMs?: number;
}

const CONNECT_MS = 5_000;
const IDLE_SOCKETS = 2;
/** Milliseconds that an unused connection is kept. */
const IDLE_MS = 10_000;
/** Bytes of an answer. */
const MAX_HEADER = 16 * 1_024;
const MAX_BODY = 64 * 1_024;
const EXCERPT = 1_024;
/** Headers of an answer that are given on, and the characters of each. */
const HEADERS = 10;
const HEADER_LENGTH = 256;
/** Headers with longer names are left out. */
const HEADER_NAME_LENGTH = 64;

/** Text that a Postgres column takes: without the NUL character, and without half a character at its end. */
const excerptOf = (body: Buffer, bytes: number): string =>
  new TextDecoder().decode(body.subarray(0, bytes), { stream: true }).replaceAll('\0', '\uFFFD');

interface Sent extends OutboundRead {
  readonly method: 'GET' | 'POST';
  readonly body: string | Buffer;
  /** Bytes that are read of the answer, and how many of them the excerpt has. */
  readonly maxBody: number;
  readonly excerpt: number;
}

const headersOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !name.includes('cookie') && name.length <= HEADER_NAME_LENGTH)
      .slice(0, HEADERS)
      .map(([name, value]) => [name, String(value).slice(0, HEADER_LENGTH)]),
  );

/** The time is up, or the caller wants no answer any more. */
class CutOff extends Error {}

/**
 * Requests by Node's client, which follows no redirects. Agents of our own take no proxy from the environment. The addresses
 * are filtered where the connection is made.
 */
export class FilteredHttp extends OutboundHttp implements OnApplicationShutdown {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  constructor(private readonly options: FilteredHttpOptions) {
    super();
    const { resolve, isAllowed, authorities } = options;
    const connections = {
      keepAlive: true,
      // Who sends bounds the requests of each endpoint. A bound on a host would let the endpoints of one tenant delay another's.
      maxSockets: Infinity,
      maxFreeSockets: IDLE_SOCKETS,
      timeout: IDLE_MS,
      lookup: filteredLookUp(resolve, isAllowed),
      autoSelectFamily: true,
    };
    this.http = new HttpAgent(connections);
    this.https = new HttpsAgent({
      ...connections,
      ...(authorities === undefined ? {} : { ca: authorities }),
    });
  }

  refusalOf(url: string): string | undefined {
    return problemOfUrl(url, this.options);
  }

  post(request: OutboundRequest): Promise<OutboundResult> {
    return this.send({ ...request, method: 'POST', maxBody: MAX_BODY, excerpt: EXCERPT });
  }

  read(request: OutboundRead, maxBytes: number): Promise<OutboundResult> {
    return this.send({ ...request, method: 'GET', body: '', maxBody: maxBytes, excerpt: maxBytes });
  }

  onApplicationShutdown(): void {
    this.http.destroy();
    this.https.destroy();
  }

  private async send(request: Sent): Promise<OutboundResult> {
    const began = performance.now();
    const ended = <Result extends object>(result: Result): Result & { readonly durationMs: number } => ({
      ...result,
      durationMs: Math.round(performance.now() - began),
    });
    const refusal = this.refusalOf(request.url);
    if (refusal !== undefined) return ended({ kind: 'refused', reason: refusal });
    const cut = new AbortController();
    const giveUp = (reason: string): void => cut.abort(new CutOff(reason));
    const timer = setTimeout(giveUp, request.timeoutMs, `it gave no whole answer within ${request.timeoutMs} ms`);
    const cancel = (): void => giveUp('the request was given up');
    request.signal?.addEventListener('abort', cancel);
    if (request.signal?.aborted === true) cancel();
    try {
      return ended(await this.answerOf(request, cut));
    } catch (error) {
      if (error instanceof AddressRefused) return ended({ kind: 'refused', reason: REFUSED_ADDRESS });
      return ended({ kind: 'failed', reason: error instanceof CutOff ? error.message : reasonOf(error) });
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', cancel);
    }
  }

  private async answerOf(request: Sent, cut: AbortController) {
    const answer = await this.headOf(request, cut);
    const { statusCode: status = 0, headers } = answer;
    return {
      kind: 'answered' as const,
      status,
      retryAfter: headers['retry-after'],
      headers: headersOf(headers),
      excerpt: excerptOf(await bodyFrom(answer, request.maxBody, cut), request.excerpt),
    };
  }

  /** The head of the answer. Where the receiver had closed a kept connection meanwhile, a new one is no second try. */
  private async headOf(request: Sent, cut: AbortController): Promise<IncomingMessage> {
    for (let isRepeated = false; ; isRepeated = true) {
      const sent = this.open(request);
      try {
        return await this.exchange(sent, request.body, cut);
      } catch (error) {
        sent.destroy();
        const isStale = sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        if (!isStale || isRepeated) throw error;
      }
    }
  }

  private open({ method, url, headers, body }: Sent): ClientRequest {
    const isPlain = new URL(url).protocol === 'http:';
    const options = {
      method,
      headers: { ...headers, ...(method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {}) },
      maxHeaderSize: MAX_HEADER,
    };
    return isPlain
      ? requestHttp(url, { ...options, agent: this.http })
      : requestHttps(url, { ...options, agent: this.https });
  }

  /** Resolves with the head of the answer. */
  private exchange(sent: ClientRequest, body: string | Buffer, cut: AbortController): Promise<IncomingMessage> {
    const connectMs = this.options.connectMs ?? CONNECT_MS;
    return new Promise((resolve, reject) => {
      const onCut = (): void => reject(cut.signal.reason as Error);
      cut.signal.addEventListener('abort', onCut, { once: true });
      sent.once('response', resolve);
      sent.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new CutOff('it wanted another protocol (101)'));
      });
      // Later errors reach the answer too, and must find a listener here.
      sent.on('error', reject);
      sent.once('socket', (socket) => {
        if (!socket.connecting) return;
        const timer = setTimeout(
          () => cut.abort(new CutOff(`it accepted no connection within ${connectMs} ms`)),
          connectMs,
        );
        const ready = sent.protocol === 'https:' ? 'secureConnect' : 'connect';
        for (const event of [ready, 'close']) socket.once(event, () => clearTimeout(timer));
      });
      if (cut.signal.aborted) onCut();
      sent.end(body);
    });
  }
}

/** Reads no more than so many bytes. A receiver that sends more has answered all the same. */
const bodyFrom = async (answer: IncomingMessage, maxBody: number, cut: AbortController): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  const onCut = (): void => void answer.destroy(cut.signal.reason as Error);
  cut.signal.addEventListener('abort', onCut, { once: true });
  if (cut.signal.aborted) onCut();
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    chunks.push(chunk);
    if (length >= maxBody) break;
  }
  return Buffer.concat(chunks);
};
