import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { type Clock } from '../kernel/clock.js';
import { InvariantViolation } from '../kernel/invariant.js';
import { type Config } from '../platform/config/config.js';
import { RateLimiter } from '../platform/rate-limit/rate-limiter.js';
import { CLOCK } from '../platform/tokens.js';
import { Addresses } from './addresses.js';
import { NO_SNIFFING } from './caching.js';
import { Connections } from './connections.js';
import { documentOf } from './documentation/openapi.js';
import { documentationUrl } from './documentation-url.js';
import { serveConsole } from './console/serve-console.js';
import { serveDocumentation } from './documentation/serve.js';
import { askForBodies } from './asked-bodies.js';
import { Drain } from './drain.js';
import { serveEventStreams } from './event-streams.js';
import { ErrorResponseFilter } from './error-response.filter.js';
import { AccessHook } from './access-hook.js';
import { hasTooManyHeaders, tooManyHeaders } from './failure.js';
import { HealthChecks } from '../observability/health.js';
import { keepResponses, noteRequests, observeRequests, parseJsonBodies } from './hooks.js';
import { HttpAdapter } from './http-adapter.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { type Logger, nestLogger } from '../observability/logging.js';
import { managementRoutes, operatorsOnly, serveManagement } from './management.js';
import { baseUrlOf, type ManagementServer, openManagementServer } from './management-server.js';
import { MethodTable } from './method-table.js';
import { Metrics } from '../observability/metrics.js';
import { concludeOperators, OperatorTrail, recordOperators } from './operator-trail.js';
import { RequestTrail } from './request-trail.js';
import { Authenticator } from './request-context.js';
import { checkSignatures, SignedSenders } from './signed-senders.js';
import { RequestTracing, type TracedRequests } from './request-tracing.js';
import { EVERY_HEADER, serverOptions, SIGNED_BODY, type UnroutedResponses, USUAL_BODY } from './server-options.js';
import { checkNames, addWarnings } from './unknown-names.js';
import { FieldsPipe } from './validate.js';

const TRACED: TracedRequests = {
  isTraced: ({ routeOptions }) => routeOptions.config.access?.kind !== 'unlimited',
  outcomeOf: ({ caller, errorCode }) => ({
    account: caller !== undefined && 'tenantId' in caller ? caller.tenantId : undefined,
    errorCode,
  }),
};

export interface HttpApplication {
  readonly app: NestFastifyApplication;
  /** Starts to serve and returns the base URL. Throws the errors of `listen`, for example EADDRINUSE. */
  listen(): Promise<string>;
  /** Accepts no more requests, waits for those in flight (at most 30 s), then shuts the Nest application down. */
  close(): Promise<void>;
}

export type HttpConfig = Pick<
  Config,
  | 'host'
  | 'port'
  | 'managementPort'
  | 'shutdownDelay'
  | 'keepAlive'
  | 'tls'
  | 'trustProxy'
  | 'environment'
  | 'roles'
  | 'publicUrl'
>;

/** Milliseconds that requests in flight have to finish. */
const DRAIN = 30_000;
/** Finds a provider in any module. */
const ANYWHERE = { strict: false } as const;

const everyRouteHasItsRule = (server: FastifyInstance, methods: MethodTable): void => {
  server.addHook('onRoute', (route) => {
    const { url, method, config } = route;
    if (config?.access === undefined)
      throw new InvariantViolation(`route ${String(method)} ${url} says who may call it`);
    route.bodyLimit = config.largestBody ?? (config.access.kind === 'signed' ? SIGNED_BODY : USUAL_BODY);
    methods.add(url, [method].flat());
  });
};

const decorate = (server: FastifyInstance): void => {
  server.decorateRequest('context', undefined);
  server.decorateRequest('caller', undefined);
  server.decorateRequest('rawBody', undefined);
  server.decorateRequest('isCounted', false);
  server.decorateRequest('address', null);
  server.decorateRequest('attempt', undefined);
  server.decorateRequest('startedAt', 0);
  server.decorateRequest('errorCode', undefined);
  server.decorateRequest('refusedBeforeOperation', false);
  server.decorateRequest('openAct', undefined);
  server.decorateRequest('warnings', undefined);
};

/** Responds to requests that cannot be routed. Its parts exist once the application does; before that nothing listens. */
const unroutedAnswers = (
  failures: ErrorResponseFilter,
  accessHook: () => AccessHook,
  connections: () => Connections,
): UnroutedResponses => ({
  framework: (error, request, reply) => {
    reply.headers({ 'X-Request-Id': request.id, ...NO_SNIFFING });
    void accessHook()
      .refuseUnrouted(hasTooManyHeaders(request) ? tooManyHeaders() : error, accessHook().addresses.of(request.raw))
      .then(({ failure, headers }) => failures.answer(failure, request, reply.headers(headers)));
  },
  socket: (error, socket) =>
    connections().afterAnswers(socket, () => {
      void failures.answerSocket(error, socket, accessHook()).catch(() => socket.destroy());
    }),
});

interface Parts {
  readonly accessHook: AccessHook;
  readonly failures: ErrorResponseFilter;
  readonly methods: MethodTable;
  readonly logger: Logger;
  readonly management: ReturnType<typeof managementRoutes>;
}

/** Hooks run in this order. The access hook comes first, so that nothing happens for a caller who is not admitted. */
const install = (app: NestFastifyApplication, config: HttpConfig, parts: Parts): void => {
  const server = app.getHttpAdapter().getInstance();
  const { accessHook, failures, methods, logger, management } = parts;
  decorate(server);
  app.get(RequestTracing, ANYWHERE).requests(server, TRACED);
  // Node would respond to an unknown Expect by itself. This gives such a request the same response as one without Expect.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  server.server.maxHeadersCount = EVERY_HEADER;
  server.setErrorHandler((error, request, reply) => {
    if (request.isCounted || request.routeOptions.config.access?.kind === 'unlimited') {
      failures.answer(error, request, reply);
      return;
    }
    void accessHook
      .refuseUnrouted(error, request.address, request.routeOptions.bodyLimit)
      .then(({ failure, headers }) => failures.answer(failure, request, reply.headers(headers)));
  });
  server.setNotFoundHandler((request) => {
    throw methods.failureFor(request.url);
  });
  server.addHook('onRequest', (request, reply) => accessHook.admit(request, reply));
  const clock = app.get<Clock>(CLOCK, ANYWHERE);
  observeRequests(server, logger, app.get(Metrics, ANYWHERE), clock);
  noteRequests(server, app.get(RequestTrail, ANYWHERE), clock);
  parseJsonBodies(server);
  checkSignatures(server, accessHook, () => app.get(SignedSenders, ANYWHERE));
  const operators = app.get(OperatorTrail, ANYWHERE);
  recordOperators(server, operators);
  checkNames(server, clock);
  keepResponses(server, app.get(Idempotency, ANYWHERE), methods);
  addWarnings(server);
  concludeOperators(server, operators, clock, logger);
  if (config.managementPort === undefined) {
    serveManagement(server, management, operatorsOnly(app.get(Authenticator, ANYWHERE)));
  }
  serveEventStreams(server, app.get(Authenticator, ANYWHERE), app.get(RateLimiter, ANYWHERE));
  serveConsole(server);
  serveDocumentation(server, () => documentOf(app, management, config.publicUrl ?? baseUrlOf(server, config)));
  app.useGlobalPipes(new FieldsPipe(clock));
  app.useGlobalFilters(failures);
};

/**
 * The Nest application with every HTTP convention in place. The module must provide Authenticator, OperatorTrail, RequestTrail, RateLimiter,
 * Idempotency, HealthChecks, Metrics, RequestTracing and CLOCK. HttpModule provides those of this folder.
 */
export const createHttpApplication = async (
  module: Type | DynamicModule,
  config: HttpConfig,
  logger: Logger,
): Promise<HttpApplication> => {
  const methods = new MethodTable();
  const failures = new ErrorResponseFilter(logger, methods, documentationUrl(config));
  const unrouted = unroutedAnswers(
    failures,
    () => accessHook,
    () => connections,
  );
  const adapter = new HttpAdapter(serverOptions(config, unrouted) as ConstructorParameters<typeof HttpAdapter>[0]);
  const server = adapter.getInstance<FastifyInstance>();
  everyRouteHasItsRule(server, methods);
  const connections = new Connections(server.server);
  const drain = new Drain(server);
  askForBodies(server);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(logger),
  });
  const clock = app.get<Clock>(CLOCK, ANYWHERE);
  const addresses = new Addresses(config, clock, logger, app.get(Metrics, ANYWHERE));
  const accessHookTo = (paths: MethodTable): AccessHook =>
    new AccessHook(
      () => app.get(SignedSenders, ANYWHERE),
      addresses,
      app.get(Authenticator, ANYWHERE),
      app.get(RateLimiter, ANYWHERE),
      paths,
      clock,
      app.get(Metrics, ANYWHERE),
    );
  const accessHook = accessHookTo(methods);
  const management = managementRoutes(app.get(HealthChecks, ANYWHERE), app.get(Metrics, ANYWHERE));
  install(app, config, { accessHook, failures, methods, logger, management });
  await app.init();
  const openManagement = () => {
    const paths = new MethodTable();
    const answers = new ErrorResponseFilter(logger, paths, documentationUrl(config));
    const hookThere = accessHookTo(paths);
    return openManagementServer(withManagementPort(config), {
      routes: management,
      accessHook: hookThere,
      methods: paths,
      failures: answers,
      unrouted: (theirs) => unroutedAnswers(answers, () => hookThere, theirs),
    });
  };
  return running({ app, server, drain, logger }, config, openManagement);
};

/** A process without the role `api` serves only health and metrics. */
const withManagementPort = (config: HttpConfig): HttpConfig =>
  config.roles.has('api') ? config : { ...config, managementPort: config.managementPort ?? config.port };

interface Standing {
  readonly app: NestFastifyApplication;
  readonly server: FastifyInstance;
  readonly drain: Drain;
  readonly logger: Logger;
}

const running = (
  { app, server, drain, logger }: Standing,
  config: HttpConfig,
  openManagement: () => Promise<ManagementServer | undefined>,
): HttpApplication => {
  let management: ManagementServer | undefined;
  return {
    app,
    listen: async () => {
      management = await openManagement();
      if (!config.roles.has('api')) return management?.url ?? '';
      await app.listen({ port: config.port, host: config.host });
      return baseUrlOf(server, config);
    },
    close: async () => {
      drain.leave();
      if (config.roles.has('api')) await pause(config.shutdownDelay * 1_000);
      const inTime = await drain.close(DRAIN);
      // Closes last, so that health and metrics stay visible while requests are served.
      await management?.close();
      if (!inTime) logger.warn('requests were still running after 30 s and are cut off');
      await app.close();
    },
  };
};
