import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../postgres/database.js';
import { describeError, LOGGER, type Logger } from '../logging.js';
import { purgeExpiredKeys, purgeRepeatedAnswers } from './idempotency-store.js';

const EVERY = 600_000;
const ROWS_AT_ONCE = 5_000;
/** A backlog larger than this waits for the next time. */
const MOST_ROUNDS = 200;

/** Removes rows past their time, every ten minutes; any number of instances may do it. */
@Injectable()
export class IdempotencyPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.purge(), EVERY).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async purge(): Promise<void> {
    try {
      for (const purge of [purgeExpiredKeys, purgeRepeatedAnswers]) {
        for (let round = 0; round < MOST_ROUNDS; round += 1) {
          if ((await purge(this.database, ROWS_AT_ONCE)) < ROWS_AT_ONCE) break;
        }
      }
    } catch (error) {
      this.logger.warn(
        { error: describeError(error) },
        'expired idempotency keys could not be removed; it is tried again',
      );
    }
  }
}
