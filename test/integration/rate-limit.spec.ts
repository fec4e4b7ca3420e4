import fc from 'fast-check';
import { systemClock } from '../../src/kernel/clock.js';
import { type Subject } from '../../src/kernel/rate-limits.js';
import { HmacKeyedHashes } from '../../src/platform/crypto/keyed-hashes.js';
import { MemoryRateLimiter } from '../../src/platform/rate-limit/memory-rate-limiter.js';
import { limitsOf, type RateLimiter } from '../../src/platform/rate-limit/rate-limiter.js';
import { openRateLimiter } from '../../src/platform/rate-limit/open-rate-limiter.js';
import { RedisRateLimiter } from '../../src/platform/rate-limit/redis-rate-limiter.js';
import { ManualClock } from '../support/manual-clock.js';
import { eventually, redisInstalled, type RedisServer, startRedis } from '../support/stack.js';
import { PERSON, startTestApp } from './http-test-app.js';

const hashes = new HmacKeyedHashes(Buffer.alloc(32, 7));
let subjects = 0;
const newSubject = (): Subject => ({ kind: 'account', id: `subject-${(subjects += 1)}` });
const onRedis = redisInstalled ? describe : describe.skip;

type Take = (...args: readonly unknown[]) => Promise<readonly number[]>;
/** The command that each request of a limiter is for Redis. */
const commandsOf = (limiter: RateLimiter): { takeRequest: Take } =>
  (limiter as unknown as { redis: { takeRequest: Take } }).redis;

onRedis('rate limits in Redis (needs redis-server)', () => {
  let redis: RedisServer;
  let limiter: RateLimiter;

  beforeAll(async () => {
    const started = await startRedis();
    if (started === undefined) throw new Error('redis-server is not installed');
    redis = started;
    limiter = await openRateLimiter(redis.url, systemClock, hashes);
    await eventually('the connection to Redis', async () => (await limiter.health()) === 'up');
  }, 20_000);

  afterAll(async () => {
    await limiter.close();
    await redis.stop();
  });

  it('counts for several instances together, exactly, however many ask at once', async () => {
    const other = new RedisRateLimiter(redis.url, systemClock, hashes);
    await eventually('the second connection', async () => (await other.health()) === 'up');
    const limits = { perMinute: 50, perSecond: 1_000 };
    // Where Redis was too slow for one of them, they were counted elsewhere too, and another subject is asked for.
    const verdicts = await eventually('answers of Redis alone', async () => {
      const subject = newSubject();
      const requests = Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? limiter : other).take(subject, limits),
      );
      const answers = await Promise.all(requests);
      const healths = await Promise.all([limiter.health(), other.health()]);
      return healths.every((health) => health === 'up') && answers.map(({ verdict }) => verdict);
    });
    expect(verdicts.filter((verdict) => verdict === 'allowed')).toHaveLength(50);
    expect(verdicts.filter((verdict) => verdict === 'rate_limited')).toHaveLength(150);
    await other.close();
  });

  it('answers what is left, when the window ends and when to come again', async () => {
    const subject = newSubject();
    const limits = { perMinute: 12, perSecond: 2 };
    expect(await limiter.take(subject, limits)).toMatchObject({
      verdict: 'allowed',
      limit: 12,
      remaining: 11,
      retryAfter: 0,
    });
    await limiter.take(subject, limits);
    const refused = await limiter.take(subject, limits);
    expect(refused).toMatchObject({ verdict: 'burst_exceeded', remaining: 10 });
    expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
    expect(refused.resetAt % 60).toBe(0);
    expect(await limiter.peek(subject, limits)).toMatchObject({ remaining: 10 });
  });

  it('keeps no IP address in Redis that anybody could read or find by trying them all', async () => {
    const address: Subject = { kind: 'address', id: '203.0.113.77' };
    await limiter.take(address, limitsOf(60));
    const { remaining } = await limiter.take(address, limitsOf(60));
    expect(remaining).toBe(58);
    const client = (limiter as unknown as { redis: { keys(pattern: string): Promise<string[]> } }).redis;
    expect(await client.keys('rate:address:*')).toEqual([`rate:address:${hashes.actor('address 203.0.113.77')}`]);
  });

  it('keeps nothing there of keys that nobody knows, which can be made up without end', async () => {
    const key: Subject = { kind: 'key', id: 'made-up' };
    await limiter.take(key, limitsOf(60));
    expect((await limiter.peek(key, limitsOf(60))).remaining).toBe(59);
    const client = (limiter as unknown as { redis: { keys(pattern: string): Promise<string[]> } }).redis;
    expect(await client.keys('rate:key:*')).toEqual([]);
  });

  it('forgets a subject by itself', async () => {
    const subject = newSubject();
    await limiter.take(subject, limitsOf(60));
    const client = (limiter as unknown as { redis: { pttl(key: string): Promise<number> } }).redis;
    expect(await client.pttl(`rate:account:${subject.id}`)).toBeGreaterThan(60_000);
    expect(await client.pttl(`rate:account:${subject.id}`)).toBeLessThanOrEqual(120_000);
  });

  it('counts in memory while Redis is stopped or hangs, says so, and counts in Redis again by itself', async () => {
    const clock = new ManualClock();
    const waiting = await openRateLimiter(redis.url, clock, hashes);
    await eventually('the connection to Redis', async () => (await waiting.health()) === 'up');
    const commands = commandsOf(waiting);
    const take = commands.takeRequest.bind(commands);
    let takeCalls = 0;
    commands.takeRequest = (...args) => ((takeCalls += 1), take(...args));
    const subject = newSubject();
    const limits = { perMinute: 5, perSecond: 100 };
    redis.pause();
    const verdicts: string[] = [];
    for (let request = 0; request < 8; request += 1) verdicts.push((await waiting.take(subject, limits)).verdict);
    expect(verdicts.filter((verdict) => verdict === 'allowed')).toHaveLength(5);
    // One of them has waited for Redis, and none again within the second.
    expect(takeCalls).toBe(1);
    expect(await waiting.health()).toBe('degraded');
    redis.resume();
    clock.advance(1_000);
    await eventually('Redis to be used again', async () => (await waiting.health()) === 'up');
    expect((await waiting.take(newSubject(), limits)).verdict).toBe('allowed');
    expect(takeCalls).toBe(2);
    await waiting.close();
  }, 20_000);

  it('keeps serving over HTTP when Redis is killed', async () => {
    const doomed = await startRedis();
    if (doomed === undefined) throw new Error('redis-server is not installed');
    const mortal = await openRateLimiter(doomed.url, systemClock, hashes);
    await eventually('the connection to Redis', async () => (await mortal.health()) === 'up');
    const app = await startTestApp({ limiter: mortal });
    await doomed.kill9();
    const answer = await app.call('POST', '/things', { key: 'good', body: PERSON });
    expect(answer.status).toBe(202);
    expect(answer.headers['x-ratelimit-limit']).toBe('1000000');
    expect(await mortal.health()).toBe('degraded');
    await app.close();
    await mortal.close();
  }, 20_000);
});

onRedis('memory and Redis (needs redis-server)', () => {
  it('judge alike', async () => {
    const redis = await startRedis();
    if (redis === undefined) throw new Error('redis-server is not installed');
    const shared = await openRateLimiter(redis.url, systemClock, hashes);
    await eventually('the connection to Redis', async () => (await shared.health()) === 'up');
    const commands = commandsOf(shared);
    const take = commands.takeRequest.bind(commands);
    // Redis goes by its own clock, and the other one by what that said last.
    let now = 0;
    commands.takeRequest = async (...args) => {
      const answer = await take(...args);
      [, now = 0] = answer;
      return answer;
    };
    const own = new MemoryRateLimiter({ now: () => new Date(now), monotonic: () => now });
    const subject = newSubject();
    const limits = { perMinute: 30, perSecond: 10 };
    for (let request = 0; request < 15; request += 1) {
      const [one, two] = [await shared.take(subject, limits), own.take(subject, limits)];
      expect({ verdict: one.verdict, remaining: one.remaining, resetAt: one.resetAt }).toEqual({
        verdict: two.verdict,
        remaining: two.remaining,
        resetAt: two.resetAt,
      });
    }
    await shared.close();
    await redis.stop();
  }, 20_000);
});

describe('rate limits in memory', () => {
  it('never allows more than the limit within a window, nor more than twice it within any minute', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 50, maxLength: 300 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 40 }), (gaps, perMinute) => {
        const clock = new ManualClock(1_795_260_000_000);
        const limiter = new MemoryRateLimiter(clock);
        const limits = { perMinute, perSecond: 1_000 };
        const allowedAt: number[] = [];
        for (const gap of gaps) {
          clock.advance(gap);
          if (limiter.take({ kind: 'account', id: 'a' }, limits).verdict === 'allowed')
            allowedAt.push(clock.monotonic());
        }
        for (const at of allowedAt) {
          const inWindow = allowedAt.filter((time) => Math.floor(time / 60_000) === Math.floor(at / 60_000));
          expect(inWindow.length).toBeLessThanOrEqual(perMinute);
          const inMinute = allowedAt.filter((time) => time > at - 60_000 && time <= at);
          expect(inMinute.length).toBeLessThan(2 * perMinute + 1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('allows a request after Retry-After, and refuses one a second earlier', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 59_999 }), fc.integer({ min: 1, max: 100 }), (offset, perMinute) => {
        const clock = new ManualClock(1_795_260_000_000 + offset);
        const limiter = new MemoryRateLimiter(clock);
        const limits = { perMinute, perSecond: 1_000 };
        const take = () => limiter.take({ kind: 'address', id: 'a' }, limits);
        for (let request = 0; request < perMinute; request += 1) expect(take().verdict).toBe('allowed');
        const { verdict, retryAfter } = take();
        expect(verdict).toBe('rate_limited');
        clock.advance((retryAfter - 1) * 1_000);
        expect(take().verdict).toBe('rate_limited');
        clock.advance(1_000);
        expect(take().verdict).toBe('allowed');
      }),
    );
  });

  it('lets nobody push a busy subject out by many others', () => {
    const limiter = new MemoryRateLimiter(new ManualClock(1_795_260_000_000));
    const take = (id: string) => limiter.take({ kind: 'address', id }, limitsOf(40));
    while (take('busy').verdict === 'allowed');
    for (let index = 0; index < 120_000; index += 1) take(String(index));
    expect(take('busy').verdict).not.toBe('allowed');
  });

  it('remembers a bounded number of subjects', () => {
    const limiter = new MemoryRateLimiter(systemClock);
    for (const kind of ['address', 'key'] as const) {
      for (let index = 0; index < 60_000; index += 1) limiter.take({ kind, id: String(index) }, limitsOf(60));
      const { counters } = limiter as unknown as { counters: Record<typeof kind, Map<string, unknown>> };
      expect(counters[kind].size).toBeLessThanOrEqual(50_000);
    }
  });

  it('takes a quarter of the minute figure for a burst, at least 10', () => {
    expect([75, 300, 1_500, 6_000, 10].map((perMinute) => limitsOf(perMinute).perSecond)).toEqual([
      18, 75, 375, 1_500, 10,
    ]);
  });
});
