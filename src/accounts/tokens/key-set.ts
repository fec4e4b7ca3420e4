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

/** Finds the public key for a token's signature. */
export type KeyFinder = ReturnType<typeof createLocalJWKSet>;

/** How long a fetched set is used without another fetch. */
const FRESH_MS = 10 * 60_000;
/**
 * Shortest time between two fetches for unknown key ids, which anyone can invent. It also applies while the provider
 * does not respond.
 */
const REFETCH_AFTER_MS = 10_000;
/** Shortest time between two fetches while no set is known. Every request then waits for one. */
const RETRY_AFTER_MS = 1_000;
const FETCH_BUDGET_MS = 1_500;
const MAX_SET_BYTES = 256 * 1024;

/**
 * RFC 9864 named EdDSA over Ed25519 `Ed25519`. Sets and tokens may use either name. So a set's keys are bound to
 * their curve and not to a name.
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
  if (text.length > MAX_SET_BYTES) throw new Error('the key set is too large');
  return JSON.parse(text) as JSONWebKeySet;
};

/**
 * An identity provider's key set, kept by jose. jose fetches it on first use and again for an unknown key id. This
 * class adds one thing: the set stays in use while the provider is down.
 */
export class RemoteKeySet {
  private readonly remote: ReturnType<typeof createRemoteJWKSet>;
  private known: KeyFinder | undefined;
  private failedAt: number | undefined;

  constructor(
    url: string,
    private readonly clock: Clock,
    /** Called for every failed fetch, whether or not a set is known. */
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

  /** The key for a token. Throws a jose error if there is none, and Unavailable if no set was ever fetched. */
  async find(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<Awaited<ReturnType<KeyFinder>>> {
    try {
      return await this.remote(header, token);
    } catch (error) {
      if (!(error instanceof Unavailable) || this.known === undefined) throw error;
      return this.known(header, token);
    }
  }

  /** Fetches the set before it is needed, so that a fault shows at the start. Never rejects. */
  async load(): Promise<void> {
    await this.remote.reload().catch(() => undefined);
  }

  private get pause(): number {
    return this.known === undefined ? RETRY_AFTER_MS : REFETCH_AFTER_MS;
  }

  /** Spaces the fetches after a failure. jose would otherwise fetch for every token. */
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
