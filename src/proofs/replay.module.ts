import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { StoresModule } from '../platform/stores/stores.module.js';
import { ReplayController } from './http/replay.controller.js';

/** What happened, told from the log itself. */
@Module({ imports: [StoresModule, AuditModule], controllers: [ReplayController] })
export class ReplayModule {}
