import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MonitoringModule } from '../http/monitoring.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { ReactorRunner } from './reactor-runner.js';

@Module({ imports: [DiscoveryModule, MonitoringModule, StoresModule], providers: [ReactorRunner] })
export class ReactorsModule {}
