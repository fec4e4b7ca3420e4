import { Module } from '@nestjs/common';
import { StoresModule } from '../platform/stores/stores.module.js';
import { OperatorStreamController } from './http/operator-stream.controller.js';
import { ProjectionJobsController } from './http/projection-jobs.controller.js';
import { ProjectionsController } from './http/projections.controller.js';
import { TroublesController } from './http/troubles.controller.js';
import { ProjectionJobs } from './projection-jobs.js';

/** What operators and incident engineers watch and do over HTTP: the read models and their rebuilds. */
@Module({
  imports: [StoresModule],
  controllers: [ProjectionsController, ProjectionJobsController, OperatorStreamController, TroublesController],
  providers: [ProjectionJobs],
})
export class OperationsModule {}
