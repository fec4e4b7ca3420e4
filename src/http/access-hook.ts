import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Clock } from '../kernel/clock.js';
import { isRejection } from '../kernel/rejection.js';
import { type Limits, type Verdict } from '../kernel/rate-limits.js';
import { type Allowance, type RateLimiter } from '../platform/rate-limit/rate-limiter.js';
import { type Addresses } from './addresses.js';
import { cachingHeaders, NO_SNIFFING } from './caching.js';
import {
  actorIdOf,
  type Caller,
  type Counter,
  counterOf,
  identifyCaller,
  lacking,
  mayPass,
  StrangerExhausted,
} from './caller.js';
import {
  bodyIsNotSigned,
  hasTooManyHeaders,
  hasTwoHosts,
  HttpFailure,
  toFailure,
  tooManyHeaders,
  twoHosts,
} from './failure.js';
import { type Metrics } from '../observability/metrics.js';
import { type MethodTable } from './method-table.js';
import './request.js';
import { type Authenticator } from './request-context.js';
import { type SignedSenders } from './signed-senders.js';

const MAX_USER_AGENT_LENGTH = 512;

const limitHeaders = (
  { limit, remaining, resetAt }: Allowance,
  { planPerMinute }: Partial<Limits> = {},
): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetAt),
  ...(planPerMinute === undefined ? {} : { 'X-RateLimit-Plan': String(planPerMinute) }),
});

const RAISED = 'An operator raises it for a load test: PATCH /admin/accounts/{id}, or SANDBOX_RATE_LIMIT';

const throttledDetail = (verdict: Verdict, { perMinute, planPerMinute }: Limits): string => {
  const many = `Too many requests within a ${verdict === 'burst_exceeded' ? 'second' : 'minute'}`;
  if (planPerMinute === undefined) return many;
  return `${many}. A sandbox takes ${perMinute} a minute; your plan has ${planPerMinute} in production. ${RAISED}`;
};

/** The outermost layer: identifies the caller, counts the request, and admits it or throws. */
export class AccessHook {
  constructor(
    private readonly senders: () => SignedSenders,
    readonly addresses: Addresses,
    private readonly authenticator: Authenticator,
    private readonly limiter: RateLimiter,
    private readonly methods: MethodTable,
    private readonly clock: Clock,
    private readonly metrics: Pick<Metrics, 'countThrottled'>,
  ) {}

  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.startedAt = this.clock.monotonic();
    const rule = request.routeOptions.config.access;
    reply.headers({ 'X-Request-Id': request.id, ...NO_SNIFFING, ...cachingHeaders(rule) });
    request.address = this.addresses.of(request.raw);
    if (hasTooManyHeaders(request)) await this.refuseCounted(request, reply, tooManyHeaders());
    if (hasTwoHosts(request)) await this.refuseCounted(request, reply, twoHosts());
    if (rule?.kind === 'unlimited') {
      reply.headers(await this.headersFor(request));
      return;
    }
    if (rule?.kind === 'signed') {
      if (!this.senders().mayBeSigned(request)) await this.refuseUnsigned(request, reply);
      reply.headers(await this.headersFor(request));
      this.enter(request, { kind: 'anonymous' });
      return;
    }
    request.isCounted = true;
    const { caller, counter, refusal } = await identifyCaller(rule, request, this.authenticator, this.limiter);
    if (refusal instanceof StrangerExhausted) {
      reply.headers(limitHeaders(refusal.allowance));
      throw this.throttled(counter, refusal.allowance);
    }
    const { subject, limits } = counter;
    request.caller = caller;
    // While the stores cannot identify the caller, the request counts against no one.
    const unknowable = refusal !== undefined && !isRejection(refusal);
    const allowance = await (unknowable ? this.limiter.peek(subject, limits) : this.limiter.take(subject, limits));
    reply.headers(limitHeaders(allowance, limits));
    if (unknowable) throw refusal;
    if (allowance.verdict !== 'allowed') throw this.throttled(counter, allowance);
    if (rule === undefined) throw this.methods.failureFor(request.raw.url ?? '/');
    if (refusal !== undefined) throw refusal;
    if (!mayPass(rule, caller, request.method === 'GET' || request.method === 'HEAD')) throw lacking(rule, caller);
    this.enter(request, caller);
  }

  /** Counts a request without a good signature against the caller's address, and throws. */
  refuseUnsigned(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    return this.refuseCounted(request, reply, bodyIsNotSigned());
  }

  /** Counts a refused request against the caller's address, and throws. */
  private async refuseCounted(request: FastifyRequest, reply: FastifyReply, error: HttpFailure): Promise<never> {
    const { failure, headers } = await this.refuseUnrouted(error, request.address);
    request.isCounted = true;
    reply.headers(headers);
    throw failure;
  }

  /** The failure and headers for a request that never reached the router. It counts against the caller's address. */
  async refuseUnrouted(
    error: unknown,
    address: string | null,
    bodyLimit?: number,
  ): Promise<{ failure: HttpFailure; headers: Record<string, string> }> {
    const counter = counterOf(undefined, { kind: 'anonymous' }, address);
    const allowance = await this.limiter.take(counter.subject, counter.limits);
    const failure = allowance.verdict === 'allowed' ? toFailure(error, bodyLimit) : this.throttled(counter, allowance);
    return { failure, headers: limitHeaders(allowance) };
  }

  private throttled({ subject, limits }: Counter, { verdict, retryAfter }: Allowance): HttpFailure {
    const reason = verdict === 'burst_exceeded' ? 'burst_exceeded' : 'rate_limited';
    this.metrics.countThrottled(subject, reason);
    return new HttpFailure(
      429,
      reason === 'burst_exceeded' ? 'BURST_EXCEEDED' : 'RATE_LIMITED',
      throttledDetail(verdict, limits),
      { headers: { 'Retry-After': String(retryAfter) } },
    );
  }

  private async headersFor(request: FastifyRequest): Promise<Record<string, string>> {
    const { subject, limits } = counterOf(undefined, { kind: 'anonymous' }, request.address);
    return limitHeaders(await this.limiter.peek(subject, limits));
  }

  private enter(request: FastifyRequest, caller: Caller): void {
    request.context = {
      requestId: request.id,
      ipAddress: request.address,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
      actorId: actorIdOf(caller),
      startedAt: request.startedAt,
      principal: caller,
    };
  }
}
