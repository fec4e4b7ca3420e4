import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts.module.js';
import { DevelopmentProviderController } from './http/development-provider.controller.js';

/** Issues tokens on request. Only for a sandbox on one machine. */
@Module({ imports: [AccountsModule], controllers: [DevelopmentProviderController] })
export class DevelopmentProviderModule {}
