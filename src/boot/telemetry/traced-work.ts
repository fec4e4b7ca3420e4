import { type BeforeApplicationShutdown } from '@nestjs/common';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type Job, type JobHandler, JobQueue, type QueueDepth, type QueueingOptions } from '../../kernel/jobs.js';
import {
  OutboundHttp,
  type OutboundRead,
  type OutboundRequest,
  type OutboundResult,
} from '../../platform/outbound/outbound-http.js';
import { type Reaction } from '../../kernel/reaction.js';
import { type Traces } from './traces.js';

/** The member of a job's payload that names the request that caused it. */
const CAUSE = 'correlation_id';

/** A span for each run of a job, linked to the request that queued it. */
export class TracedJobQueue extends JobQueue implements BeforeApplicationShutdown {
  constructor(
    private readonly queue: JobQueue,
    private readonly traces: Traces,
  ) {
    super();
  }

  override enqueue(queue: string, job: Job, options?: QueueingOptions): Promise<void> {
    const { cause } = this.traces;
    const caused = cause === undefined ? job : { ...job, payload: { ...job.payload, [CAUSE]: cause } };
    return this.queue.enqueue(queue, caused, options);
  }

  override work(queue: string, concurrency: number, handler: JobHandler): void {
    const name = `job ${queue}`;
    const options = { kind: SpanKind.CONSUMER, attributes: { 'kyc.queue': queue } };
    this.queue.work(queue, concurrency, ({ id, payload: { [CAUSE]: cause, ...payload } }) => {
      const run = (): Promise<void> => handler({ id, payload });
      return cause === undefined
        ? this.traces.alone(name, options, run)
        : this.traces.following(name, options, new Set([cause]), run);
    });
  }

  override health(): Promise<'up' | 'degraded'> {
    return this.queue.health();
  }

  override depths(): Promise<ReadonlyMap<string, QueueDepth>> {
    return this.queue.depths();
  }

  override close(): Promise<void> {
    return this.queue.close();
  }

  /** Runs while everything that a job uses still works. */
  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

/** A span for each try of an effect, linked to the request that caused the event. */
export const tracedReaction = (reactor: string, reaction: Reaction, traces: Traces): Reaction => ({
  ...(reaction.follows === undefined ? {} : { follows: reaction.follows }),
  ...(reaction.concerns === undefined ? {} : { concerns: (event) => reaction.concerns?.(event) ?? true }),
  handle: (event, context) => {
    const attributes = { 'kyc.reactor': reactor, 'kyc.event_type': event.type, 'kyc.attempt': context.attempt };
    const causes = new Set([event.metadata.$correlationId]);
    return traces.following(`react ${reactor}`, { kind: SpanKind.CONSUMER, attributes }, causes, () =>
      reaction.handle(event, context),
    );
  },
});

/**
 * A span for each call to a receiver. It names no address, which is the tenant's. `traceparent` is not sent: a receiver is a
 * stranger, and learns nothing of what happens here.
 */
export class TracedOutboundHttp extends OutboundHttp {
  constructor(
    private readonly http: OutboundHttp,
    private readonly traces: Traces,
  ) {
    super();
  }

  override refusalOf(url: string): string | undefined {
    return this.http.refusalOf(url);
  }

  override post(request: OutboundRequest): Promise<OutboundResult> {
    return this.traced('webhook POST', 'POST', () => this.http.post(request));
  }

  override read(request: OutboundRead, maxBytes: number): Promise<OutboundResult> {
    return this.traced('status list GET', 'GET', () => this.http.read(request, maxBytes));
  }

  private traced(name: string, method: string, send: () => Promise<OutboundResult>): Promise<OutboundResult> {
    const attributes = { 'http.request.method': method };
    return this.traces.part(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const result = await send();
      if (result.kind === 'answered') span?.setAttribute('http.response.status_code', result.status);
      else span?.setAttribute('error.type', result.kind).setStatus({ code: SpanStatusCode.ERROR });
      return result;
    });
  }
}
