import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { RequestReader } from './request-reader.js';
import { RequestsController } from './http/requests.controller.js';

/** What an account's own requests were, and what each led to. */
@Module({
  imports: [AuditModule, WebhooksModule],
  controllers: [RequestsController],
  providers: [RequestReader],
})
export class RequestsModule {}
