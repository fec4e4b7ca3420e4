import { AuditModule } from '../audit/audit.module.js';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { webhooks } from '../../projections/webhooks/webhooks.projection.js';
import { WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { RequestEvents } from '../kernel/request-events.js';
import { type Config } from '../platform/config/config.js';
import { DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { Database } from '../platform/postgres/database.js';
import { ReadModels } from '../log/project/projection.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { CONFIG } from '../platform/tokens.js';
import { AnnouncementsErasure } from './announcements.erasure.js';
import { AnnouncementsReactor } from './announcements.reactor.js';
import { Deliveries } from './deliveries.js';
import { DeliveryJobs, WEBHOOK_QUEUES } from './delivery-jobs.js';
import { DeliveryRecord } from './delivery-record.js';
import { DeliveryRound } from './delivery-round.js';
import { endpointAnnouncer } from './domain/endpoint.announcer.js';
import { EndpointReader } from './endpoint-reader.js';
import { EndpointRepository } from './endpoint-repository.js';
import { EndpointsExport } from './endpoints-export.js';
import { ENDPOINT_HANDLERS, EndpointUrls } from './endpoint.handler.js';
import { EndpointReactor } from './endpoint.reactor.js';
import { Feed } from './feed.js';
import { DeliveriesController } from './http/deliveries.controller.js';
import { EndpointsController } from './http/endpoints.controller.js';
import { Responses } from './responses.js';
import { SealedMembers } from './sealed-members.js';
import { Sender } from './sender.js';
import { TestDelivery } from './test-delivery.js';

/** Webhook endpoints, the event feed that every slice announces to, and the deliveries. */
@Module({
  imports: [
    CqrsModule,
    AuditModule,
    MonitoringModule,
    MailModule,
    ...WEBHOOK_QUEUES.map((queue) => QueueModule.forFeature(queue)),
    ProjectionsModule.forFeature({ projections: [webhooks] }),
    AnnouncementsModule.forFeature(endpointAnnouncer),
  ],
  controllers: [EndpointsController, DeliveriesController],
  providers: [
    ...ENDPOINT_HANDLERS,
    EndpointRepository,
    EndpointUrls,
    EndpointReader,
    EndpointsExport,
    EndpointReactor,
    AnnouncementsReactor,
    AnnouncementsErasure,
    Feed,
    Deliveries,
    DeliveryRecord,
    { provide: RequestEvents, useExisting: DeliveryRecord },
    DeliveryRound,
    DeliveryJobs,
    SealedMembers,
    Responses,
    Sender,
    TestDelivery,
    {
      provide: WebhookQueries,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new WebhookQueries(readModels),
    },
    {
      provide: DataKeyShredder,
      inject: [Database, CONFIG],
      useFactory: (database: Database, { erasure }: Config) => new DataKeyShredder(database, erasure.keysForgotten),
    },
  ],
  exports: [RequestEvents],
})
export class WebhooksModule {}
