import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { invariant } from '../../kernel/invariant.js';
import { type JobHandler, JobQueue } from '../../kernel/jobs.js';
import { WORKER } from './worker.js';

/** Finds every method with @Worker and gives it the jobs of its queue. */
@Injectable()
export class QueueWorkers {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly queue: JobQueue,
  ) {}

  /** Call it in processes with the role `jobs`. */
  start(): void {
    const worked = new Set<string>();
    for (const wrapper of this.discovery.getProviders()) {
      const instance = wrapper.instance as object | null | undefined;
      if (typeof instance !== 'object' || instance === null) continue;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const options = this.discovery.getMetadataByDecorator(WORKER, wrapper, method);
        const work = (instance as Record<string, JobHandler>)[method];
        if (options === undefined || work === undefined) continue;
        invariant(!worked.has(options.queue), `${options.queue} has one worker`);
        worked.add(options.queue);
        this.queue.work(options.queue, options.concurrency, (job) => work.call(instance, job));
      }
    }
  }
}
