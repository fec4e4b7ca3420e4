import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { ErasureStep, type Erases } from './erasure-step.js';
import { ErasureSteps, type NamedStep } from './erasure-steps.js';

/** Every provider with @ErasureStep, in the order of their kinds. */
const stepsOf = (discovery: DiscoveryService): readonly NamedStep[] =>
  discovery
    .getProviders({ metadataKey: ErasureStep.KEY })
    .flatMap((wrapper) => {
      const step = discovery.getMetadataByDecorator(ErasureStep, wrapper);
      return step === undefined ? [] : [{ kind: step.kind, step: wrapper.instance as Erases }];
    })
    .sort((one, other) => (one.kind < other.kind ? -1 : 1));

@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: ErasureSteps,
      inject: [DiscoveryService],
      useFactory: (discovery: DiscoveryService) => new ErasureSteps(() => stepsOf(discovery)),
    },
  ],
  exports: [ErasureSteps],
})
export class ErasureModule {}
