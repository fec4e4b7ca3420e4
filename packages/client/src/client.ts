import createFetchClient, { type Client } from 'openapi-fetch';
import { retrying, type Retries } from './retrying.js';
import { type paths } from './schema.js';

export interface ClientOptions {
  /** Where the service is, for example https://kyc.example.org */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** An access token of the identity provider: for `issueCredential`, and for operators. */
  readonly token?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until a try is given up (40,000). */
  readonly timeout?: number;
  /**
   * `recommended`: repeats what the service recommends to repeat. Each POST then has an Idempotency-Key, so that a repetition has
   * no second effect and no second charge. `never`: one try.
   */
  readonly retries?: Retries;
  /** Instead of the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** One method for each HTTP method, typed by path: `client.POST('/api/v1/check-eligibility', { body })`. */
export type KycClient = Client<paths, 'application/json'>;

const DEFAULT_TIMEOUT = 40_000;

export const createClient = (options: ClientOptions): KycClient => {
  const { baseUrl, apiKey, token, headers, timeout = DEFAULT_TIMEOUT, retries = 'recommended' } = options;
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  return createFetchClient<paths, 'application/json'>({
    baseUrl,
    headers: {
      ...(apiKey === undefined ? {} : { 'X-API-Key': apiKey }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    fetch: retrying(send, retries, timeout),
  });
};
