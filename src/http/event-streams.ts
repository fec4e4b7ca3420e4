import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { pause } from '../kernel/pause.js';
import { type RateLimiter } from '../platform/rate-limit/rate-limiter.js';
import { actorIdOf, identifyCaller, mayPass } from './caller.js';
import { HttpFailure } from './failure.js';
import { IntegerField } from './fields.js';
import './request.js';
import { type Authenticator } from './request-context.js';
import { RawResponse } from './responses.js';

export const EVENT_STREAM = 'text/event-stream';

/** One message of server-sent events (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  /** What a client sends as Last-Event-ID when it connects again. */
  readonly id?: string;
  /** Its type; default `message`. */
  readonly event?: string;
  readonly data: object;
}

/** Called again and again: what is new. */
type NextEvents = () => Promise<readonly ServerSentEvent[]>;

export class EventStreamQuery {
  @IntegerField({ min: 1, max: 3_600, default: 300, description: 'The stream ends after so many seconds' })
  seconds = 300;
}

interface Clocks {
  /** Milliseconds between two looks for what is new. */
  readonly lookEvery: number;
  /** Milliseconds between two looks whether the caller may still read. */
  readonly judgeEvery: number;
  /** Milliseconds for which a judgement holds where there is something to send: less than a look, which a timer may begin early. */
  readonly judgedFor: number;
  /** Milliseconds of silence after which a proxy could close the connection. */
  readonly quiet: number;
}

const CLOCKS: Clocks = { lookEvery: 1_000, judgeEvery: 5_000, judgedFor: 900, quiet: 15_000 };
/** Milliseconds after which a client connects again. */
const RECONNECT_MS = 2_000;
/** Streams that one caller may hold on one instance. */
const MAX_OPEN = 20;
/** Of all callers, on one instance. */
const MAX_IN_ALL = 500;

const frameOf = ({ id, event, data }: ServerSentEvent): string =>
  [...(id === undefined ? [] : [`id: ${id}`]), ...(event === undefined ? [] : [`event: ${event}`])]
    .concat(`data: ${JSON.stringify(data)}`, '', '')
    .join('\n');

const tooMany = (): HttpFailure =>
  new HttpFailure(429, 'RATE_LIMITED', 'Too many event streams are open already: close one', {
    headers: { 'Retry-After': '5' },
  });

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Answers with what `next` yields, for `seconds` at most, while the caller may read it. `from`: what a client sends as
     * Last-Event-ID that has got no event yet.
     */
    eventStream(seconds: number, next: NextEvents, from?: string): RawResponse;
  }
}

/** Until the time is over, the caller has gone or the signal aborts. Ends early where `isAllowed` denies. */
export async function* framesOf(
  next: NextEvents,
  isAllowed: () => Promise<boolean>,
  milliseconds: number,
  signal: AbortSignal,
  { lookEvery, judgeEvery, judgedFor, quiet }: Clocks = CLOCKS,
  from?: string,
): AsyncGenerator<string> {
  yield `retry: ${RECONNECT_MS}\n${from === undefined ? '' : `id: ${from}\n`}\n`;
  const end = performance.now() + milliseconds;
  let [spoke, judged] = [performance.now(), performance.now()];
  const isDenied = async (within: number): Promise<boolean> => {
    if (performance.now() - judged < within) return false;
    judged = performance.now();
    return !(await isAllowed());
  };
  while (!signal.aborted && performance.now() < end) {
    const events = await next();
    if (await isDenied(events.length > 0 ? judgedFor : judgeEvery)) return;
    const now = performance.now();
    if (events.length > 0) yield events.map(frameOf).join('');
    else if (now - spoke >= quiet) yield ':\n\n';
    if (events.length > 0 || now - spoke >= quiet) spoke = now;
    await pause(lookEvery, signal);
  }
}

/** An account holds its streams by all of its keys together. */
const holderOf = ({ caller }: FastifyRequest): string => {
  if (caller === undefined) return '';
  return 'tenantId' in caller ? caller.tenantId : actorIdOf(caller);
};

/** Lets controllers answer with server-sent events. A stream ends with its caller's rights, and with the server. */
export const serveEventStreams = (
  server: FastifyInstance,
  authenticator: Authenticator,
  limiter: RateLimiter,
): void => {
  const closing = new AbortController();
  server.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  const open = new Map<string, number>();
  const isAllowed = async (request: FastifyRequest): Promise<boolean> => {
    const rule = request.routeOptions.config.access;
    if (rule === undefined || rule.kind === 'unlimited') return false;
    const { caller, refusal } = await identifyCaller(rule, request, authenticator, limiter, { isUse: false });
    return refusal === undefined && mayPass(rule, caller, true);
  };
  const stream = (request: FastifyRequest, seconds: number, next: NextEvents, from?: string): RawResponse => {
    // nginx would hold events back otherwise.
    const headers = { 'X-Accel-Buffering': 'no' };
    if (request.method === 'HEAD') return new RawResponse(200, '', headers, EVENT_STREAM);
    const who = holderOf(request);
    const others = open.get(who) ?? 0;
    const all = [...open.values()].reduce((sum, held) => sum + held, 0);
    if (others >= MAX_OPEN || all >= MAX_IN_ALL) throw tooMany();
    open.set(who, others + 1);
    const gone = new AbortController();
    const signal = AbortSignal.any([closing.signal, gone.signal]);
    const frames = framesOf(next, () => isAllowed(request), seconds * 1_000, signal, CLOCKS, from);
    const body = Readable.from(frames, { objectMode: false });
    const { socket } = request.raw;
    const leave = (): void => {
      gone.abort();
      body.destroy();
    };
    socket.once('close', leave);
    body.once('close', () => {
      socket.off('close', leave);
      gone.abort();
      const left = (open.get(who) ?? 1) - 1;
      if (left === 0) open.delete(who);
      else open.set(who, left);
    });
    return new RawResponse(200, body, headers, EVENT_STREAM);
  };
  server.decorateRequest(
    'eventStream',
    function (this: FastifyRequest, seconds: number, next: NextEvents, from?: string) {
      return stream(this, seconds, next, from);
    },
  );
};
