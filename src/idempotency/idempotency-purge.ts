import { Injectable } from '@nestjs/common';
import { Periodic } from '../platform/periodic/periodic.js';
import { Database } from '../platform/postgres/database.js';
import { purgeExpiredKeys, purgeRepeatedAnswers } from './idempotency-store.js';

const ROWS_AT_ONCE = 5_000;
/** Limits one purge. The rest of a larger backlog waits for the next one. */
const MAX_ROUNDS = 200;

/** Removes expired rows. */
@Injectable()
export class IdempotencyPurge {
  constructor(private readonly database: Database) {}

  @Periodic({ every: 600_000, alone: true })
  async purge(): Promise<void> {
    for (const purge of [purgeExpiredKeys, purgeRepeatedAnswers]) {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        if ((await purge(this.database, ROWS_AT_ONCE)) < ROWS_AT_ONCE) break;
      }
    }
  }
}
