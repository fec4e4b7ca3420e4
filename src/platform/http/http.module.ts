import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Clock } from '../../kernel/clock.js';
import { Deductions, KeyedAnswers } from '../../kernel/charging.js';
import { type Config } from '../config/config.js';
import { KeyedHashes, Vault } from '../crypto/vault.js';
import { Database } from '../postgres/database.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { openRateLimiter } from '../rate-limit/redis-rate-limiter.js';
import { CLOCK, CONFIG } from '../tokens.js';
import { HealthChecks } from './health.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyPurge } from './idempotency/idempotency-purge.js';
import { StoredAnswers } from './idempotency/stored-answers.js';
import { Metrics } from './metrics.js';

/** Needs CONFIG, CLOCK, LOGGER, Database, KeyedHashes, Vault and Deductions from global modules. */
@Global()
@Module({
  providers: [
    HealthChecks,
    Metrics,
    IdempotencyPurge,
    { provide: KeyedAnswers, useClass: StoredAnswers },
    {
      provide: RateLimiter,
      inject: [CONFIG, CLOCK, KeyedHashes],
      useFactory: (config: Config, clock: Clock, hashes: KeyedHashes) =>
        openRateLimiter(config.redisUrl, clock, hashes),
    },
    {
      provide: Idempotency,
      inject: [Database, KeyedHashes, Vault, Deductions, CONFIG],
      useFactory: (database: Database, hashes: KeyedHashes, vault: Vault, deductions: Deductions, config: Config) =>
        new Idempotency(database, hashes, vault, deductions, config.timing.foreignDeduction),
    },
  ],
  exports: [HealthChecks, Metrics, RateLimiter, Idempotency, KeyedAnswers],
})
export class HttpModule implements OnApplicationShutdown {
  constructor(private readonly limiter: RateLimiter) {}

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
