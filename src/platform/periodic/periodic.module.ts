import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MonitoringModule } from '../../observability/monitoring.module.js';
import { PeriodicRunner } from './periodic-runner.js';

@Module({ imports: [DiscoveryModule, MonitoringModule], providers: [PeriodicRunner] })
export class PeriodicModule {}
