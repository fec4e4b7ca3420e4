import { DiscoveryService } from '@nestjs/core';

export interface WorkerOptions {
  /** A queue of QueueModule.forFeature. */
  readonly queue: string;
  /** Jobs that one process runs at once. */
  readonly concurrency: number;
}

/** The metadata that `Worker` sets on a method and QueueWorkers reads. */
export const WORKER = DiscoveryService.createDecorator<WorkerOptions>();

/** Marks a provider's method that runs the jobs of a queue, in processes with the role `jobs`. It takes the job. */
export const Worker = (options: WorkerOptions): MethodDecorator => WORKER(options);
