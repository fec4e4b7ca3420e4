import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MonitoringModule } from '../../observability/monitoring.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { PeriodicRunner } from './periodic-runner.js';

@Module({ imports: [DiscoveryModule, MonitoringModule, StoresModule], providers: [PeriodicRunner] })
export class PeriodicModule {}
