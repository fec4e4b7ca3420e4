import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type CompactJWSHeaderParameters,
  customFetch,
  type FlattenedJWSInput,
  type JSONWebKeySet,
} from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { Unavailable } from '../../kernel/unavailable.js';

/** What finds the public key of a token's signature. */
export type KeyFinder = ReturnType<typeof createLocalJWKSet>;

/** For how long a fetched set is used without asking again. */
const FRESH_MS = 10 * 60_000;
/** Unknown key ids, which anyone can make up, fetch at most this often; so do tokens while the provider does not answer. */
const REFETCH_AFTER_MS = 10_000;
/** While no set is known at all, every request waits for one. */
const RETRY_AFTER_MS = 1_000;
const FETCH_BUDGET_MS = 1_500;
const LARGEST_SET_BYTES = 256 * 1024;

/**
 * RFC 9864 gave EdDSA over Ed25519 the name `Ed25519`. Sets and tokens may use either, so a set's keys are tied to their
 * curve and not to one of the names.
 */
const withoutCurveAlgorithm = (set: JSONWebKeySet): JSONWebKeySet => ({
  keys: set.keys.map((jwk) =>
    jwk.crv === 'Ed25519' ? Object.fromEntries(Object.entries(jwk).filter(([member]) => member !== 'alg')) : jwk,
  ),
});

export const keyFinderOf = (set: JSONWebKeySet): KeyFinder => createLocalJWKSet(withoutCurveAlgorithm(set));

const fetchKeySet = async (url: string, signal: AbortSignal): Promise<JSONWebKeySet> => {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`the key set answered ${response.status}`);
  const text = await response.text();
  if (text.length > LARGEST_SET_BYTES) throw new Error('the key set is too large');
  return JSON.parse(text) as JSONWebKeySet;
};

/**
 * The key set of an identity provider, as jose keeps it: fetched when first needed, and once more for a key id it lacks. Our own is
 * only that the set stays in use while the provider is down, which jose does not do.
 */
export class RemoteKeySet {
  private readonly remote: ReturnType<typeof createRemoteJWKSet>;
  private known: KeyFinder | undefined;
  private failedAt: number | undefined;

  constructor(
    url: string,
    private readonly clock: Clock,
    /** Told of every fetch that failed, whether or not a set is known. */
    private readonly onFault: (error: unknown) => void = () => undefined,
    private readonly fetchSet = fetchKeySet,
  ) {
    this.remote = createRemoteJWKSet(new URL(url), {
      cacheMaxAge: FRESH_MS,
      cooldownDuration: REFETCH_AFTER_MS,
      timeoutDuration: FETCH_BUDGET_MS,
      [customFetch]: (address, { signal }) => this.fetch(address, signal),
    });
  }

  /** The key for a token; throws a jose error where there is none, Unavailable where no set could ever be fetched. */
  async find(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<Awaited<ReturnType<KeyFinder>>> {
    try {
      return await this.remote(header, token);
    } catch (error) {
      if (!(error instanceof Unavailable) || this.known === undefined) throw error;
      return this.known(header, token);
    }
  }

  private get pause(): number {
    return this.known === undefined ? RETRY_AFTER_MS : REFETCH_AFTER_MS;
  }

  /** A provider that has just failed is left alone: jose would ask it for every token. */
  private async fetch(url: string, signal: AbortSignal): Promise<Response> {
    const now = this.clock.monotonic();
    if (this.failedAt !== undefined && now - this.failedAt < this.pause) throw new Unavailable('identity_provider');
    try {
      const set = withoutCurveAlgorithm(await this.fetchSet(url, signal));
      this.known = createLocalJWKSet(set);
      this.failedAt = undefined;
      return Response.json(set);
    } catch (error) {
      this.failedAt = now;
      this.onFault(error);
      throw new Unavailable('identity_provider', { cause: error });
    }
  }
}
