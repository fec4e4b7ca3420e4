import {
  createLocalJWKSet,
  type CompactJWSHeaderParameters,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
} from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { Unavailable } from '../../kernel/unavailable.js';

/** What finds the public key of a token's signature. */
export type KeyFinder = ReturnType<typeof createLocalJWKSet>;

/** For how long a fetched set is used without asking again. */
const FRESH_MS = 10 * 60_000;
/** Unknown key ids, which anyone can make up, fetch at most this often. */
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

export const fetchKeySet = async (url: string): Promise<JSONWebKeySet> => {
  const signal = AbortSignal.timeout(FETCH_BUDGET_MS);
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`the key set answered ${response.status}`);
  const text = await response.text();
  if (text.length > LARGEST_SET_BYTES) throw new Error('the key set is too large');
  return JSON.parse(text) as JSONWebKeySet;
};

/** The key set of an identity provider, fetched when first needed, kept, and fetched once more for a key id it lacks. */
export class RemoteKeySet {
  private finder: KeyFinder | undefined;
  private fetchedAt = 0;
  private triedAt: number | undefined;
  private fetching: Promise<void> | undefined;

  constructor(
    private readonly fetchSet: () => Promise<JSONWebKeySet>,
    private readonly clock: Clock,
    /** Told of every fetch that failed, whether or not a set is known. */
    private readonly onFault: (error: unknown) => void = () => undefined,
  ) {}

  /** The key for a token; throws a jose error where there is none, Unavailable where no set could ever be fetched. */
  async find(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<Awaited<ReturnType<KeyFinder>>> {
    if (this.finder === undefined || this.age(this.fetchedAt) > FRESH_MS) await this.refresh();
    const finder = this.finder;
    if (finder === undefined) throw new Unavailable('identity_provider');
    try {
      return await finder(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.refresh();
      return this.finder === finder ? Promise.reject(error) : this.find(header, token);
    }
  }

  private age(since: number): number {
    return this.clock.monotonic() - since;
  }

  private get pause(): number {
    return this.finder === undefined ? RETRY_AFTER_MS : REFETCH_AFTER_MS;
  }

  private async refresh(): Promise<void> {
    if (this.fetching === undefined) {
      if (this.triedAt !== undefined && this.age(this.triedAt) < this.pause) return;
      this.triedAt = this.clock.monotonic();
      this.fetching = this.fetchOnce().finally(() => (this.fetching = undefined));
    }
    await this.fetching;
  }

  /** A provider that does not answer leaves the set that is known in use. */
  private async fetchOnce(): Promise<void> {
    try {
      this.finder = keyFinderOf(await this.fetchSet());
      this.fetchedAt = this.clock.monotonic();
    } catch (error) {
      this.onFault(error);
      if (this.finder === undefined) throw new Unavailable('identity_provider', { cause: error });
    }
  }
}
