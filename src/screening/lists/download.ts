import { type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { gzipped, type LastAnswer } from './list-store.js';
import { type Publisher } from '../domain/known-lists.js';
import { type SourceFile } from './readers/source.js';

/** A publisher gave no list: it is away, or answers something else. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed';
}

export type Answer =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'file';
      readonly file: SourceFile;
      readonly etag: string | null;
      readonly lastModified: string | null;
    };

/** OFAC answers 403 unless the user agent begins with `Mozilla/` and has 40 characters or more. */
const USER_AGENT = 'Mozilla/5.0 (compatible; kyc-attestation-network screening lists)';
/** Milliseconds without a byte, and for the whole download. */
const IDLE_TIMEOUT = 30_000;
const WHOLE = 600_000;
const REDIRECTS = 3;
const LARGEST = 300 * (1 << 20);

/** Replaced by tests, which have a publisher of their own. */
export type Connect = Pick<RequestOptions, 'ca' | 'lookup' | 'port' | 'servername'>;

type Known = Pick<LastAnswer, 'etag' | 'lastModified'> | undefined;

const conditions = (known: Known): Record<string, string> => ({
  ...(known?.etag ? { 'if-none-match': known.etag } : {}),
  ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
});

const open = (url: URL, known: Known, connect: Connect, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { 'user-agent': USER_AGENT, accept: '*/*', ...conditions(known) };
    const call = request(url, { ...connect, headers, signal, timeout: IDLE_TIMEOUT }, resolve);
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', (error: NodeJS.ErrnoException) => {
      const failure = `${url.host} could not be reached over TLS 1.3: ${error.code ?? error.message}`;
      reject(new DownloadFailed(failure, { cause: error }));
    });
    call.end();
  });

/** Throws DownloadFailed unless all that was announced arrives. */
async function* piecesOf(response: IncomingMessage, host: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > LARGEST) break;
      yield piece;
    }
  } catch (error) {
    throw new DownloadFailed(`${host} broke off after ${bytes} bytes`, { cause: error });
  }
  if (bytes > LARGEST) throw new DownloadFailed(`${host} sends more than 300 MB`);
  const announced = response.headers['content-length'];
  if (!response.complete || (announced !== undefined && Number(announced) !== bytes)) {
    throw new DownloadFailed(`${host} broke off after ${bytes} bytes`);
  }
}

const pinned = (url: URL, { hosts }: Publisher): URL => {
  if (url.protocol === 'https:' && url.port === '' && hosts.some((host) => host.test(url.hostname))) return url;
  throw new DownloadFailed(`The publisher refers to ${url.protocol}//${url.host}, which is not a host of this list`);
};

/** Gets a list over HTTPS, from the publisher's own hosts only. Throws DownloadFailed. */
export const download = async (publisher: Publisher, known: Known, connect: Connect = {}): Promise<Answer> => {
  const signal = AbortSignal.timeout(WHOLE);
  let url = pinned(new URL(publisher.url), publisher);
  for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
    const response = await open(url, known, connect, signal);
    const status = response.statusCode ?? 0;
    if (status === 200) {
      const { etag = null, 'last-modified': lastModified = null } = response.headers;
      const file = await gzipped(publisher.file, piecesOf(response, url.host));
      return { kind: 'file', file, etag, lastModified };
    }
    response.resume();
    if (status === 304) return { kind: 'unchanged' };
    const { location } = response.headers;
    if (status < 300 || status > 399 || location === undefined)
      throw new DownloadFailed(`${url.host} answers ${status}`);
    url = pinned(new URL(location, url), publisher);
  }
  throw new DownloadFailed(`${url.host} redirects more than ${REDIRECTS} times`);
};
