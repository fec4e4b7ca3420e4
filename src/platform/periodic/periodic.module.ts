import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PeriodicRunner } from './periodic-runner.js';

/** Needs CONFIG, LOGGER, Leadership and Metrics from global modules. */
@Module({ imports: [DiscoveryModule], providers: [PeriodicRunner] })
export class PeriodicModule {}
