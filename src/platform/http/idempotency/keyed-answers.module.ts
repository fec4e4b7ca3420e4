import { Module } from '@nestjs/common';
import { KeyedAnswers } from '../../../kernel/charging.js';
import { StoresModule } from '../../stores/stores.module.js';
import { StoredAnswers } from './stored-answers.js';

@Module({
  imports: [StoresModule],
  providers: [{ provide: KeyedAnswers, useClass: StoredAnswers }],
  exports: [KeyedAnswers],
})
export class KeyedAnswersModule {}
