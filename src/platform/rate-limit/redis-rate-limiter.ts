import { Redis } from 'ioredis';
import { type Clock } from '../../kernel/clock.js';
import { type Limits, type Subject, type Verdict } from '../../kernel/rate-limits.js';
import { type KeyedHashes } from '../crypto/vault.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { type Allowance, RateLimiter } from './rate-limiter.js';
import { allowanceOf } from './sliding-window.js';
import { TAKE_SCRIPT } from './take.lua.js';

type Answer = [verdict: number, now: number, mi: number, mc: number, mp: number, si: number, sc: number, sp: number];

interface ScriptedRedis extends Redis {
  takeRequest(key: string, perMinute: number, perSecond: number, cost: 0 | 1): Promise<Answer>;
}

const VERDICTS: readonly Verdict[] = ['allowed', 'rate_limited', 'burst_exceeded'];

/** Milliseconds that a request waits for Redis at most. */
const BUDGET = 200;
/** Milliseconds without requests to Redis after a failure, so that not every request waits for a slow answer. */
const PAUSE = 1_000;

const connect = (url: string): ScriptedRedis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: BUDGET,
    connectTimeout: PAUSE,
    retryStrategy: (attempt) => Math.min(attempt * 100, PAUSE),
  });
  redis.defineCommand('takeRequest', { numberOfKeys: 1, lua: TAKE_SCRIPT });
  // Failures show as refused commands. Without a listener ioredis writes each one to the console.
  redis.on('error', () => undefined);
  return redis as ScriptedRedis;
};

/** Counts in Redis for all instances together. While Redis does not answer, each instance counts in its own memory. */
export class RedisRateLimiter extends RateLimiter {
  private readonly redis: ScriptedRedis;
  private readonly fallback: MemoryRateLimiter;
  private pausedUntil = 0;

  constructor(
    url: string,
    private readonly clock: Clock,
    private readonly hashes: Pick<KeyedHashes, 'actor'>,
  ) {
    super();
    this.redis = connect(url);
    this.fallback = new MemoryRateLimiter(clock);
  }

  override take(subject: Subject, limits: Limits): Allowance | Promise<Allowance> {
    return this.shares(subject) ? this.ask(subject, limits, 1) : this.fallback.take(subject, limits);
  }

  override peek(subject: Subject, limits: Limits): Allowance | Promise<Allowance> {
    return this.shares(subject) ? this.ask(subject, limits, 0) : this.fallback.peek(subject, limits);
  }

  override async health(): Promise<'up' | 'degraded'> {
    if (!this.answers()) return 'degraded';
    return this.redis.ping().then(
      () => 'up',
      () => 'degraded',
    );
  }

  override close(): Promise<void> {
    this.redis.disconnect();
    return Promise.resolve();
  }

  /** Clients can invent any number of keys. Each instance therefore counts keys in its own, limited memory. */
  private shares({ kind }: Subject): boolean {
    return kind !== 'key' && kind !== 'look_ups' && this.answers();
  }

  private answers(): boolean {
    return this.redis.status === 'ready' && this.clock.monotonic() >= this.pausedUntil;
  }

  /** An IP address is personal data. Outside this process it appears only as a keyed hash. */
  private keyOf({ kind, id }: Subject): string {
    return `rate:${kind}:${kind === 'address' ? this.hashes.actor(`address ${id}`) : id}`;
  }

  private async ask(subject: Subject, limits: Limits, cost: 0 | 1): Promise<Allowance> {
    try {
      const [verdict, now, mi, mc, mp, si, sc, sp] = await this.redis.takeRequest(
        this.keyOf(subject),
        limits.perMinute,
        limits.perSecond,
        cost,
      );
      const counters = {
        minute: { index: mi, current: mc, previous: mp },
        second: { index: si, current: sc, previous: sp },
      };
      return allowanceOf(VERDICTS[verdict] ?? 'allowed', counters, now, limits);
    } catch {
      this.pausedUntil = this.clock.monotonic() + PAUSE;
      return cost === 1 ? this.fallback.take(subject, limits) : this.fallback.peek(subject, limits);
    }
  }
}
