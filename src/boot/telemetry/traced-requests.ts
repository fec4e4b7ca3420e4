import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Traces } from './traces.js';
import { type TracedRequests } from '../../http/request-tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent for health and metrics, which are not traced. */
    span: Span | undefined;
  }
}

const headerOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const begin = (traces: Traces, request: FastifyRequest): Span => {
  const route = request.routeOptions.url;
  return traces.request(
    request.id,
    headerOf(request.headers['traceparent']),
    route === undefined ? request.method : `${request.method} ${route}`,
    {
      'http.request.method': request.method,
      ...(route === undefined ? {} : { 'http.route': route }),
      'url.scheme': request.protocol,
      'kyc.request_id': request.id,
    },
  );
};

type Outcome = ReturnType<TracedRequests['outcomeOf']>;

/** What the log line of the request says, and nothing of its URL, headers or body. */
const finish = (span: Span, reply: FastifyReply, { account, errorCode }: Outcome): void => {
  const { statusCode } = reply;
  if (reply.raw.writableFinished) span.setAttribute('http.response.status_code', statusCode);
  else span.setAttribute('error.type', 'caller_is_gone');
  if (errorCode !== undefined) span.setAttribute('kyc.error_code', errorCode);
  if (account !== undefined) span.setAttribute('kyc.account', account);
  if (statusCode >= 500) {
    span.setAttribute('error.type', errorCode ?? String(statusCode));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
};

export const traceRequests = (
  server: FastifyInstance,
  traces: Traces,
  { isTraced, outcomeOf }: TracedRequests,
): void => {
  server.decorateRequest('span', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (!isTraced(request)) {
      done();
      return;
    }
    const span = begin(traces, request);
    request.span = span;
    reply.raw.once('close', () => finish(span, reply, outcomeOf(request)));
    traces.within(span, request.id, done);
  });
  // The body arrives by events of the connection, which know nothing of the request.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.span === undefined) done();
    else traces.within(request.span, request.id, done);
  });
};
