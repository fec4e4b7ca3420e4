import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ReactorRunner } from './reactor-runner.js';

/** Needs LOGGER, Leadership, EventStore, Database, Metrics and HealthChecks from global modules. */
@Module({ imports: [DiscoveryModule], providers: [ReactorRunner] })
export class ReactorsModule {}
