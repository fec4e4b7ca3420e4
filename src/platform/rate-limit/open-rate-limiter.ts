import { type Clock } from '../../kernel/clock.js';
import { type KeyedHashes } from '../crypto/vault.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { type RateLimiter } from './rate-limiter.js';

/** Uses Redis if it is configured, otherwise this process. Loads Redis's client only in the first case. */
export const openRateLimiter = async (
  redisUrl: string | undefined,
  clock: Clock,
  hashes: Pick<KeyedHashes, 'actor'>,
): Promise<RateLimiter> => {
  if (redisUrl === undefined) return new MemoryRateLimiter(clock);
  const { RedisRateLimiter } = await import('./redis-rate-limiter.js');
  return new RedisRateLimiter(redisUrl, clock, hashes);
};
