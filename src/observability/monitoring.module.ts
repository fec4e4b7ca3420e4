import { Module } from '@nestjs/common';
import { HealthChecks } from './health.js';
import { Metrics } from './metrics.js';

/** Each module registers the health checks and the metrics of its own parts. */
@Module({ providers: [HealthChecks, Metrics], exports: [HealthChecks, Metrics] })
export class MonitoringModule {}
