import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT = 40_000;
/** Waits between tries while the service is busy, restarting or out of reach, milliseconds; the last is repeated. */
const BACKOFF = [500, 1_000, 2_000, 5_000, 10_000] as const;
const SAY_INTERVAL_MS = 30_000;
/** How long is tried before the first answer, when the address may be wrong, and after it, milliseconds. */
const FIRST_CONTACT_BUDGET_MS = 60_000;
const RETRY_BUDGET_MS = 600_000;

/** The service refuses the load itself, for example its API key; trying again will not help. */
export class LoadRefused extends Error {
  override readonly name = 'LoadRefused';
}

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

interface Reply {
  readonly status: number;
  /** Undefined where it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Seconds. */
  readonly retryAfter: number;
}

/** What the service says of the request itself. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ConnectionOptions {
  readonly print?: (line: string) => void;
  readonly signal?: AbortSignal;
  /** How long is tried while the service does not answer, milliseconds. */
  readonly retryBudget?: number;
}

const metadataOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
};

const objectIn = (text: string): Reply['body'] => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** What will pass: the service is restarting, busy, or still at the same request. */
const willPass = ({ status }: Reply): boolean => status >= 500 || status === 429 || status === 409;

const inSeconds = (milliseconds: number): string => `${Math.round(milliseconds / 1_000)} s`;

/** Says that the service does not answer, and again every so often; seldom, even where some requests are answered. */
class Complaint {
  private reportedAt = -Infinity;
  private isOpen = false;

  constructor(
    private readonly url: string,
    private readonly print: (line: string) => void,
  ) {}

  trouble(why: string, retryBudget: number): void {
    const now = performance.now();
    if (now - this.reportedAt < SAY_INTERVAL_MS) return;
    this.reportedAt = now;
    this.isOpen = true;
    this.print(`${this.url} does not answer (${why}); it is tried again, for ${inSeconds(retryBudget)} at most`);
  }

  answered(): void {
    if (this.isOpen) this.print(`${this.url} answers again`);
    this.isOpen = false;
  }
}

/** A request that has to be repeated. */
interface Again {
  readonly why: string;
  /** What the service asks to wait, milliseconds. */
  readonly retryAfterMs: number;
  /** A limit is no trouble: it only takes time. */
  readonly isTrouble: boolean;
}

const againBecauseOf = (reply: Reply): Again => {
  const code = reply.body?.['error_code'];
  return {
    why: typeof code === 'string' ? `${reply.status} ${code}` : String(reply.status),
    retryAfterMs: reply.retryAfter * 1_000,
    isTrouble: reply.status >= 500,
  };
};

/** Requests to one service, repeated through limits, restarts and outages. */
export class Connection {
  private readonly url: URL;
  private readonly complaint: Complaint;
  private wasReached = false;

  constructor(
    baseUrl: string,
    private readonly apiKey: string,
    private readonly options: ConnectionOptions = {},
  ) {
    if (!URL.canParse(baseUrl) || !/^https?:\/\//i.test(baseUrl))
      throw new LoadRefused(`${baseUrl} is no address of a service: it begins with http:// or https://`);
    if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new LoadRefused('the file of the API key does not hold one key');
    this.url = new URL(baseUrl);
    this.complaint = new Complaint(this.address, options.print ?? (() => undefined));
  }

  get address(): string {
    return `${this.url.origin}${this.url.pathname.replace(/\/+$/, '')}`;
  }

  /** Errors: LoadRefused where it gave up, Interrupted. */
  async request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answer> {
    const begunAt = performance.now();
    for (let tries = 0; ; tries += 1) {
      const outcome = await this.send(method, path, headers, body);
      if ('status' in outcome) return this.understood(outcome, path);
      const { why, retryAfterMs, isTrouble } = outcome;
      const retryBudget = this.options.retryBudget ?? (this.wasReached ? RETRY_BUDGET_MS : FIRST_CONTACT_BUDGET_MS);
      const left = retryBudget - (performance.now() - begunAt);
      if (left <= 0) throw this.givenUp(why, retryBudget);
      if (isTrouble) this.complaint.trouble(why, retryBudget);
      const wait = BACKOFF[Math.min(tries, BACKOFF.length - 1)] ?? 0;
      await this.pause(Math.min(Math.max(wait, retryAfterMs), left));
    }
  }

  /** The same as a fetch, for the typed client. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const path = request.url.slice(this.address.length);
    const body = request.method === 'GET' ? undefined : await request.text();
    const { status, body: answered } = await this.request(
      request.method,
      path,
      Object.fromEntries(request.headers),
      body,
    );
    return Response.json(answered, { status });
  };

  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.options;
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    if (signal?.aborted === true) throw new Interrupted();
  }

  private understood({ status, body }: Reply, path: string): Answer {
    this.wasReached = true;
    this.complaint.answered();
    // A proxy, too, may find a body too large, and says so in its own way.
    if (body === undefined && status !== 413)
      throw new LoadRefused(
        `${this.address}${path} answered ${status}, and not this service's JSON: is --url its address?`,
      );
    return { status, body: body ?? {} };
  }

  private givenUp(why: string, retryBudget: number): LoadRefused {
    return new LoadRefused(
      `${this.address} did not answer for ${inSeconds(retryBudget)} (${why}): see that the service runs and that --url is its address; ` +
        'the same command then goes on with the load',
    );
  }

  private async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): Promise<Reply | Again> {
    const { signal } = this.options;
    const timeout = AbortSignal.timeout(TIMEOUT);
    try {
      const response = await fetch(`${this.address}${path}`, {
        method,
        headers: {
          'x-api-key': this.apiKey,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
        // A redirected POST would arrive as a GET.
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const retryAfter = Number(response.headers.get('retry-after') ?? '0') || 0;
      const reply = { status: response.status, retryAfter, body: objectIn(await response.text()) };
      return willPass(reply) ? againBecauseOf(reply) : reply;
    } catch (error) {
      if (signal?.aborted === true) throw new Interrupted();
      return { why: metadataOf(error), retryAfterMs: 0, isTrouble: true };
    }
  }
}
