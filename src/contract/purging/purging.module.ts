import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { PurgeStep, type Purges } from './purge-step.js';
import { PurgeSteps } from './purge-steps.js';

/** Every provider with @PurgeStep. */
const stepsOf = (discovery: DiscoveryService): readonly Purges[] =>
  discovery.getProviders({ metadataKey: PurgeStep.KEY }).map(({ instance }) => instance as Purges);

@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: PurgeSteps,
      inject: [DiscoveryService],
      useFactory: (discovery: DiscoveryService) => new PurgeSteps(() => stepsOf(discovery)),
    },
  ],
  exports: [PurgeSteps],
})
export class PurgingModule {}
