import { Injectable } from '@nestjs/common';
import { ErasureStep, type ErasedSubject, type Erases } from '../contract/erasure/erasure-step.js';
import { Database } from '../platform/postgres/database.js';
import { removeAnswersUnder } from './idempotency-store.js';

@Injectable()
@ErasureStep({ kind: 'stored_answers' })
export class StoredAnswersErasure implements Erases {
  constructor(private readonly database: Database) {}

  async erase({ dataKeyIds }: ErasedSubject): Promise<number> {
    let answers = 0;
    for (const id of dataKeyIds) answers += await removeAnswersUnder(this.database, id);
    return answers;
  }
}
