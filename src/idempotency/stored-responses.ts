import { Injectable } from '@nestjs/common';
import { KeyedResponses } from '../kernel/charging.js';
import { Database } from '../platform/postgres/database.js';
import { IdempotencyStore } from './idempotency-store.js';

@Injectable()
export class StoredResponses extends KeyedResponses {
  private readonly store: IdempotencyStore;

  constructor(database: Database) {
    super();
    this.store = new IdempotencyStore(database);
  }

  withdraw(rowId: string, deductionId: string): Promise<boolean> {
    return this.store.withdraw(rowId, deductionId);
  }
}
