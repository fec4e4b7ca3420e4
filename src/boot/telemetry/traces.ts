import { LRUCache } from 'lru-cache';
import {
  type Attributes,
  type Context,
  INVALID_SPAN_CONTEXT,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isRejection } from '../../kernel/rejection.js';
import { describeError } from '../../observability/logging.js';
import { type ChosenIds, traceIdsOf } from './trace-ids.js';

/** Requests whose spans are remembered, so that what they cause finds the trace of their caller. */
const REMEMBERED = 10_000;
/** The most links of a span. */
const MAX_LINKS = 128;

/** Stands for the span of work that is not traced. */
const NOT_RECORDED = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** The span of the work that runs, and the id of the request that caused it. */
interface Active {
  readonly span: Span;
  readonly cause: string | undefined;
}

interface KnownRequest {
  readonly context: SpanContext;
  /** Whether a link to the ids of the request leads to it. */
  found: boolean;
}

/** What an error may reveal: its name and code, never its message, which may quote a caller's data. */
const noteFailure = (span: Span, error: unknown): void => {
  if (isRejection(error)) {
    span.setAttribute('kyc.refusal', error.code);
    return;
  }
  const { type, code } = describeError(error, 0);
  span.setAttribute('error.type', code ?? type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** The span of the caller, if `traceparent` names one. Its `tracestate` may hold anything, and is not read. */
const callerOf = (traceparent = ''): SpanContext | undefined => {
  const caller = parseTraceParent(traceparent);
  return caller === null ? undefined : { ...caller, isRemote: true };
};

const sampledFlag = (isSampled: boolean): TraceFlags => (isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE);

/**
 * The spans of this process. What a request waits for is within its span. What follows from it elsewhere (a shared append, the
 * rows of its events, a reaction, a job) is a trace of its own with a link to the request.
 */
export class Traces {
  private readonly active = new AsyncLocalStorage<Active>();
  private readonly requests = new LRUCache<string, KnownRequest>({ max: REMEMBERED });

  constructor(
    private readonly tracer: Tracer,
    private readonly ids: ChosenIds,
    private readonly sampler: Sampler,
  ) {}

  /**
   * Starts the span of a request: in the trace of `traceparent` if the caller sent one, else with the ids of the request.
   * A request id that comes again only shares the trace.
   */
  request(requestId: string, traceparent: string | undefined, name: string, attributes: Attributes): Span {
    const options: SpanOptions = { kind: SpanKind.SERVER, attributes };
    const caller = callerOf(traceparent);
    const isKnown = this.requests.has(requestId);
    const { traceId, spanId } = traceIdsOf(requestId);
    const span =
      caller === undefined
        ? this.ids.use(isKnown ? { traceId } : { traceId, spanId }, () =>
            this.tracer.startSpan(name, options, ROOT_CONTEXT),
          )
        : this.tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, caller));
    if (!isKnown) this.requests.set(requestId, { context: span.spanContext(), found: caller === undefined });
    return span;
  }

  /** Runs `work`, and what it starts, within the span of a request. */
  within<Result>(span: Span, requestId: string, work: () => Result): Result {
    return this.active.run({ span, cause: requestId }, work);
  }

  /** The id of the request that caused what runs now. */
  get cause(): string | undefined {
    return this.active.getStore()?.cause;
  }

  /** A part of what runs. Without a span that is still open there is nothing to be a part of, and `work` just runs. */
  part<Result>(name: string, options: SpanOptions, work: (span: Span | undefined) => Promise<Result>): Promise<Result> {
    const active = this.active.getStore();
    if (active === undefined || !active.span.isRecording()) return work(undefined);
    return this.run(this.tracer.startSpan(name, options, contextOf(active.span)), active.cause, work);
  }

  /** Work that these requests caused, in a trace of its own. It has no span if none of the requests is sampled. */
  following<Result>(
    name: string,
    options: SpanOptions,
    causes: ReadonlySet<string>,
    work: (span: Span | undefined) => Promise<Result>,
  ): Promise<Result> {
    const links = this.linksTo(causes);
    const [first] = causes;
    const cause = causes.size === 1 ? first : undefined;
    // It may run wherever another request began it, and is no part of that.
    if (links.length === 0) return this.active.run({ span: NOT_RECORDED, cause }, () => work(undefined));
    const attributes = { ...options.attributes, 'kyc.causes': causes.size };
    const span = this.tracer.startSpan(name, { ...options, attributes, links }, ROOT_CONTEXT);
    return this.run(span, cause, work);
  }

  /**
   * An append to the log. Alone, it is a part of the work that waits for it; requests that share one each get a link. A
   * shared append runs wherever the first of them started it, so the events say whose it is.
   */
  append<Result>(
    name: string,
    options: SpanOptions,
    causes: ReadonlySet<string>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    for (const cause of causes) this.makeFound(cause);
    const [cause] = causes;
    if (cause === undefined || causes.size > 1) return this.following(name, options, causes, work);
    return this.run(this.tracer.startSpan(name, options, this.contextFor(cause)), cause, work);
  }

  /** Work without a known cause, in a trace of its own. */
  alone<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
    return this.run(this.tracer.startSpan(name, options, ROOT_CONTEXT), undefined, work);
  }

  private async run<Result>(
    span: Span,
    cause: string | undefined,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.active.run({ span, cause }, () => work(span));
    } catch (error) {
      noteFailure(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  private contextFor(cause: string): Context {
    const active = this.active.getStore();
    if (active?.cause === cause && active.span.isRecording()) return contextOf(active.span);
    return trace.setSpanContext(ROOT_CONTEXT, this.spanContextOf(cause));
  }

  private linksTo(causes: ReadonlySet<string>): Link[] {
    const links: Link[] = [];
    for (const cause of causes) {
      if (links.length === MAX_LINKS) break;
      const context = this.spanContextOf(cause);
      if ((context.traceFlags & TraceFlags.SAMPLED) !== 0) links.push({ context });
    }
    return links;
  }

  /** Another process does not know what a caller's trace had decided, so it asks the sampler. */
  private spanContextOf(cause: string): SpanContext {
    const known = this.requests.get(cause);
    if (known !== undefined) return known.context;
    const ids = traceIdsOf(cause);
    const { decision } = this.sampler.shouldSample(ROOT_CONTEXT, ids.traceId, '', SpanKind.SERVER, {}, []);
    return { ...ids, traceFlags: sampledFlag(decision === SamplingDecision.RECORD_AND_SAMPLED), isRemote: true };
  }

  /**
   * A request in the trace of its caller has other ids than the log leads to. So the span that the log leads to is made too,
   * with a link to the request.
   */
  private makeFound(cause: string): void {
    const known = this.requests.get(cause);
    if (known === undefined || known.found) return;
    known.found = true;
    const links = [{ context: known.context }];
    this.ids
      .use(traceIdsOf(cause), () =>
        this.tracer.startSpan('request in the trace of its caller', { links }, ROOT_CONTEXT),
      )
      .end();
  }
}

const contextOf = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);
