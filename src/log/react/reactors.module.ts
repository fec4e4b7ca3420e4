import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MonitoringModule } from '../../observability/monitoring.module.js';
import { ReactorRunner } from './reactor-runner.js';

@Module({ imports: [DiscoveryModule, MonitoringModule], providers: [ReactorRunner] })
export class ReactorsModule {}
