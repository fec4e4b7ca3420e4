export type Retries = 'recommended' | 'never';

/** The first try of the same request has not ended: its answer comes with the repetition. */
const isInProgress = async (response: Response): Promise<boolean> => {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error_code?: unknown } | undefined;
  return body?.error_code === 'IDEMPOTENCY_IN_PROGRESS';
};

/** How often a status is tried again, and the first wait in milliseconds; each further wait is twice as long. */
const RECOMMENDED: Readonly<Record<number, { readonly tries: number; readonly wait: number }>> = {
  409: { tries: 5, wait: 1_000 },
  429: { tries: 3, wait: 1_000 },
  500: { tries: 3, wait: 1_000 },
  502: { tries: 3, wait: 2_000 },
  503: { tries: 5, wait: 5_000 },
  504: { tries: 3, wait: 2_000 },
};

/** A request that got no answer is repeated as after a 503. */
const NO_ANSWER = 503;

/** `/dev/token` takes no key, and has no effect that could happen twice. */
const takesKey = ({ method, url }: Request): boolean => method === 'POST' && new URL(url).pathname !== '/dev/token';

const keyed = (request: Request): Request => {
  if (!takesKey(request) || request.headers.has('Idempotency-Key')) return request;
  request.headers.set('Idempotency-Key', crypto.randomUUID());
  return request;
};

/** Milliseconds, or undefined where the request is not tried again. */
export const waitBefore = (
  again: number,
  status: number,
  retryAfter: string | null,
  random: () => number,
): number | undefined => {
  const recommended = RECOMMENDED[status];
  if (recommended === undefined || again > recommended.tries) return undefined;
  const backoff = recommended.wait * 2 ** (again - 1) * (0.5 + random() / 2);
  return Math.max(backoff, Number(retryAfter ?? 0) * 1_000 || 0);
};

/** `pause` waits these milliseconds. */
export interface Waits {
  pause(milliseconds: number): Promise<unknown>;
  random(): number;
}

/** By what browsers have too. */
const REAL: Waits = {
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
};

/** A fetch that gives up a try after `timeout` milliseconds, and tries again as the service recommends. */
export const retrying =
  (send: (request: Request) => Promise<Response>, retries: Retries, timeout: number, waits: Waits = REAL) =>
  async (given: Request): Promise<Response> => {
    const once = (request: Request): Promise<Response> =>
      send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]) }));
    if (retries === 'never') return once(given);
    const request = keyed(given);
    for (let again = 1; ; again += 1) {
      const outcome = await once(request.clone()).catch((error: unknown) => ({ error }));
      const [status, retryAfter] =
        'error' in outcome ? [NO_ANSWER, null] : [outcome.status, outcome.headers.get('Retry-After')];
      const isFinal = given.signal.aborted || ('status' in outcome && status === 409 && !(await isInProgress(outcome)));
      const wait = isFinal ? undefined : waitBefore(again, status, retryAfter, () => waits.random());
      if (wait !== undefined) await waits.pause(wait);
      else if ('error' in outcome) throw outcome.error;
      else return outcome;
    }
  };
