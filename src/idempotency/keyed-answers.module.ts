import { Module } from '@nestjs/common';
import { KeyedResponses } from '../kernel/charging.js';
import { StoredAnswersErasure } from './stored-answers.erasure.js';
import { StoredResponses } from './stored-responses.js';

@Module({
  providers: [{ provide: KeyedResponses, useClass: StoredResponses }, StoredAnswersErasure],
  exports: [KeyedResponses],
})
export class KeyedAnswersModule {}
