import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ReplayController } from '../proofs/http/replay.controller.js';

/** What happened, told from the log itself. */
@Module({ imports: [AuditModule], controllers: [ReplayController] })
export class ReplayModule {}
