import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { AuditModule } from '../audit/audit.module.js';
import { Metrics } from '../observability/metrics.js';
import { MonitoringModule } from '../observability/monitoring.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { CLOCK } from '../platform/tokens.js';
import { Breaches, HOURS_TO_NOTIFY } from './breaches.js';
import { BreachesController } from './http/breaches.controller.js';
import { NowController } from './http/now.controller.js';
import { OperatorStreamController } from './http/operator-stream.controller.js';
import { ProjectionJobsController } from './http/projection-jobs.controller.js';
import { ProjectionsController } from './http/projections.controller.js';
import { TroublesController } from './http/troubles.controller.js';
import { Now } from './now/now.js';
import { ProjectionJobs } from './projection-jobs.js';

/** What operators and incident engineers watch and do over HTTP: the read models and their rebuilds. */
@Module({
  imports: [MonitoringModule, AuditModule, QueueModule],
  controllers: [
    ProjectionsController,
    ProjectionJobsController,
    OperatorStreamController,
    TroublesController,
    BreachesController,
    NowController,
  ],
  providers: [ProjectionJobs, Breaches, Now],
})
export class OperationsModule implements OnModuleInit {
  constructor(
    private readonly breaches: Breaches,
    private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const help = `Hours left to notify the authority of a breach; ${HOURS_TO_NOTIFY} where no clock runs, below 0 once it is over`;
    this.metrics.storedGauge('breach_notice_hours_left', help, async () => {
      return (await this.breaches.hoursLeft(this.clock.now())) ?? HOURS_TO_NOTIFY;
    });
  }
}
