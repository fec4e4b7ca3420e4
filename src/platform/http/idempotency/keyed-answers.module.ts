import { Module } from '@nestjs/common';
import { KeyedResponses } from '../../../kernel/charging.js';
import { StoresModule } from '../../stores/stores.module.js';
import { StoredResponses } from './stored-responses.js';

@Module({
  imports: [StoresModule],
  providers: [{ provide: KeyedResponses, useClass: StoredResponses }],
  exports: [KeyedResponses],
})
export class KeyedAnswersModule {}
