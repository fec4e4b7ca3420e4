import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import {
  bodyHasDoubledName,
  bodyHasTooManyValues,
  bodyIsEncoded,
  bodyIsInAnotherCharset,
  bodyIsNoForm,
  bodyIsNotAnObject,
  bodyIsNotJson,
  bodyIsNotUtf8,
  callerIsGone,
  type HttpFailure,
  formHasDoubledName,
} from './failure.js';
import { type Idempotency, type KeyedCall } from '../idempotency/idempotency.js';
import { checkedKey } from './idempotency-key.js';
import { EVENT_STREAM } from './event-streams.js';
import { membersOf, namesInBoundedJson } from './json-bounds.js';
import { doubledName, faultInJson } from './json-faults.js';
import { type Logger } from '../observability/logging.js';
import { type MethodTable } from './method-table.js';
import { type Metrics } from '../observability/metrics.js';
import { isMemberId } from '../kernel/audit-actors.js';
import { actorIdOf } from './caller.js';
import { type RequestTrail } from './request-trail.js';
import './request.js';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
/** The names of UTF-8, and a charset that is a subset of it. */
const READ_AS_UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

const declaresUtf8 = (contentType = ''): boolean => {
  const charset = CHARSET.exec(contentType)?.[1];
  return charset === undefined || READ_AS_UTF8.has(charset.toLowerCase());
};

/**
 * Keeps the bytes beside the parsed value. JSON.parse makes `__proto__` an ordinary member. Fields are read by their own names
 * and nothing is merged, so no member reaches a prototype.
 */
export const parseJsonBodies = (server: FastifyInstance): void => {
  const parse = server.getDefaultJsonParser('ignore', 'ignore');
  server.removeAllContentTypeParsers();
  // If the caller disconnected during the access hook, no body arrives any more. Fastify would wait for it forever.
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.raw.destroyed) done(callerIsGone());
    else done(null, payload);
  });
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // Nothing is read of a body before its signature.
    if (request.routeOptions.config.access?.kind === 'signed') {
      request.rawBody = body;
      done(null, undefined);
      return;
    }
    const fault = faultOfBytes(request, body);
    if (fault !== undefined) done(fault);
    else if (body.length === 0) done(null, undefined);
    else readJson(request, body, parse, done);
  });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      const fault = faultOfBytes(request, body);
      if (request.routeOptions.config.readsBody !== 'form') done(bodyIsNoForm());
      else if (fault !== undefined) done(fault);
      else readForm(body.toString('utf8'), done);
    },
  );
};

/** Why the bytes of a body cannot be read as text. */
const faultOfBytes = ({ headers }: FastifyRequest, body: Buffer): HttpFailure | undefined => {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return bodyIsEncoded();
  if (!declaresUtf8(headers['content-type'])) return bodyIsInAnotherCharset();
  return isUtf8(body) ? undefined : bodyIsNotUtf8();
};

const readForm = (body: string, done: (error: Error | null, value?: unknown) => void): void => {
  const members = [...new URLSearchParams(body)];
  const form = Object.fromEntries(members);
  // RFC 6749, section 3.2: no parameter twice.
  if (Object.keys(form).length < members.length) done(formHasDoubledName());
  else done(null, form);
};

type ParsesJson = ReturnType<FastifyInstance['getDefaultJsonParser']>;

const readJson = (
  request: FastifyRequest,
  body: Buffer,
  parse: ParsesJson,
  done: (error: Error | null, value?: unknown) => void,
): void => {
  const names = namesInBoundedJson(body);
  if (names === undefined) {
    done(bodyHasTooManyValues());
    return;
  }
  const text = body.toString('utf8');
  void parse(request, text, (error, value: unknown) => {
    if (error !== null) done(bodyIsNotJson(faultInJson(text)));
    else if (typeof value !== 'object' || value === null || Array.isArray(value)) done(bodyIsNotAnObject());
    // A proxy or signer may have read the first of two members where we would read the last.
    else if (membersOf(value) !== names) done(bodyHasDoubledName(doubledName(text)));
    else done(null, value);
  });
};

/** The key space that all operators share. It has the shape of a tenant id, but no tenant has it. */
const OPERATORS = 't00000000000000000000000000' as TenantId;

const scopeOf = (request: FastifyRequest): KeyedCall['scope'] | undefined => {
  const principal = request.context?.principal;
  switch (principal?.kind) {
    case 'tenant':
      return { tenantId: principal.tenantId, caller: principal.tenantId, credential: principal.actorId };
    case 'bearer':
      return { tenantId: principal.tenantId, caller: principal.tenantId, credential: principal.subjectHash };
    case 'operator':
      return { tenantId: OPERATORS, caller: `operator ${principal.subjectHash}` };
    case 'anonymous':
    case undefined:
      return undefined;
  }
};

/** Returns whether the operation runs. A replay is the answer, also where its caller has left meanwhile. */
const openKeyed = async (
  request: FastifyRequest,
  reply: FastifyReply,
  idempotency: Idempotency,
  routes: MethodTable,
): Promise<boolean> => {
  const lines = request.raw.headersDistinct['idempotency-key'];
  const scope = scopeOf(request);
  if (lines === undefined || request.method !== 'POST' || scope === undefined || request.context === undefined)
    return true;
  const { url: template = '', config } = request.routeOptions;
  const opening = await idempotency.open({
    scope,
    method: 'POST',
    path: routes.canonicalPath(template, request.params as Readonly<Record<string, string>>),
    key: checkedKey(lines),
    body: request.body,
    shownOnce: config.shownOnce ?? [],
  });
  if (opening.kind === 'attempt') {
    request.attempt = opening.attempt;
    request.context = { ...request.context, keyed: opening.attempt };
    return true;
  }
  void reply
    .code(opening.status)
    .headers({ 'Idempotency-Replayed': 'true', 'X-Credits-Charged': '0' })
    .type('application/json; charset=utf-8')
    .send(opening.body);
  return false;
};

/** Opens keyed requests before their operation, and ends them with the response that is about to be sent. */
export const keepResponses = (server: FastifyInstance, idempotency: Idempotency, routes: MethodTable): void => {
  server.addHook('preHandler', (request, reply, done) => {
    if (request.headers['idempotency-key'] === undefined) done();
    else openKeyed(request, reply, idempotency, routes).then((runs) => (runs ? done() : undefined), done);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.attempt === undefined) {
      done(null, payload);
      return;
    }
    // A stream is read once, so its answer is not kept and the key is free again.
    const isStream = typeof payload === 'object' && payload !== null && 'pipe' in payload;
    const body = typeof payload === 'string' ? payload : '';
    request.attempt
      .end(reply.statusCode, body, isStream || request.refusedBeforeOperation)
      .then(() => done(null, payload), done);
  });
};

/** Milliseconds, to the hundredth. */
const durationOf = (request: FastifyRequest, clock: Clock): number =>
  Math.round((clock.monotonic() - request.startedAt) * 100) / 100;

/** Writes one log line and one metric per request. They name the route's template, and hold no URL, header, body or address. */
export const observeRequests = (server: FastifyInstance, logger: Logger, metrics: Metrics, clock: Clock): void => {
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const duration = durationOf(request, clock);
    // A stream lasts as long as its reader stays.
    if (reply.getHeader('content-type') !== EVENT_STREAM)
      metrics.observeRequest(request.method, route, reply.statusCode, duration / 1_000);
    const { caller, errorCode } = request;
    const level = request.routeOptions.config.access?.kind === 'unlimited' ? 'debug' : 'info';
    logger[level](
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        duration_ms: duration,
        ...(errorCode === undefined ? {} : { error_code: errorCode }),
        ...(caller !== undefined && 'tenantId' in caller ? { tenant_id: caller.tenantId } : {}),
        ...(caller?.kind === 'tenant' ? { [isMemberId(caller.actorId) ? 'member_id' : 'key_id']: caller.actorId } : {}),
      },
      'request',
    );
    done();
  });
};

const ANONYMOUS = { kind: 'anonymous' } as const;

const chargedBy = (reply: FastifyReply): number | null => {
  const charged = reply.getHeader('X-Credits-Charged');
  return charged === undefined ? null : Number(charged);
};

/** Notes each answered request in the trail. Those for health and metrics are left out, as they come all the time. */
export const noteRequests = (server: FastifyInstance, trail: RequestTrail, clock: Clock): void => {
  server.addHook('onResponse', (request, reply, done) => {
    const caller = request.caller ?? ANONYMOUS;
    if (request.routeOptions.config.access?.kind !== 'unlimited') {
      trail.note({
        answeredAt: clock.now(),
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        errorCode: request.errorCode ?? null,
        durationMs: durationOf(request, clock),
        credits: chargedBy(reply),
        caller: caller.kind === 'bearer' ? 'tenant' : caller.kind,
        tenantId: 'tenantId' in caller ? caller.tenantId : null,
        actorId: actorIdOf(caller),
      });
    }
    done();
  });
};
