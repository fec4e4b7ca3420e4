import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { Deductions } from '../kernel/charging.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes, Vault } from '../platform/crypto/vault.js';
import { Database } from '../platform/postgres/database.js';
import { RateLimiter } from '../platform/rate-limit/rate-limiter.js';
import { openRateLimiter } from '../platform/rate-limit/open-rate-limiter.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { HealthChecks } from '../observability/health.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { IdempotencyPurge } from '../idempotency/idempotency-purge.js';
import { MonitoringModule } from '../observability/monitoring.module.js';

/** The parts that every request uses: rate limits and keyed requests. */
@Module({})
export class HttpModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly health: HealthChecks,
  ) {}

  /** `imports`: the modules whose Deductions hold the outcome of a keyed request. */
  static register({ imports }: Required<Pick<DynamicModule, 'imports'>>): DynamicModule {
    return {
      module: HttpModule,
      imports: [MonitoringModule, ...imports],
      providers: [
        IdempotencyPurge,
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
    };
  }

  onModuleInit(): void {
    this.health.register('rate_limits', false, () => this.limiter.health());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
