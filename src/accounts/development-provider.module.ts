import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts.module.js';
import { DevelopmentProviderController } from './http/development-provider.controller.js';

/** Tokens for whoever asks: for a sandbox of one machine only. */
@Module({ imports: [AccountsModule], controllers: [DevelopmentProviderController] })
export class DevelopmentProviderModule {}
