import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';
import { createHash } from 'node:crypto';

export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** Keeps these ids apart from any other hash of a request id. */
const LABEL = 'kyc-trace-v1';

/**
 * The ids of the span that represents a request. Every event carries the id of the request that caused it, so each process
 * finds the trace of an event without a word of tracing in the log, which the tree would cover and evidence would show.
 */
export const traceIdsOf = (correlationId: string): TraceIds => {
  const digest = createHash('sha256').update(`${LABEL}\0${correlationId}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
};

/** Random ids, except for a span that is started with ids of its own. */
export class ChosenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private chosen: Partial<TraceIds> = {};

  generateTraceId(): string {
    return this.chosen.traceId ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.chosen.spanId ?? this.random.generateSpanId();
  }

  /** `start` starts one span, at once. */
  use<Started>(ids: Partial<TraceIds>, start: () => Started): Started {
    this.chosen = ids;
    try {
      return start();
    } finally {
      this.chosen = {};
    }
  }
}
