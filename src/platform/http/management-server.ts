import { type AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { type Config } from '../config/config.js';
import { Drain } from './drain.js';
import { FailureAnswers } from './failure-answers.js';
import { type Logger } from './logging.js';
import { type managementRoutes, serveManagement } from './management.js';
import { MethodTable } from './method-table.js';
import { commonOptions } from './server-options.js';

export interface ManagementServer {
  readonly url: string;
  /** Lets requests in flight finish, 2 s at most. */
  close(): Promise<void>;
}

/** Milliseconds: every check of a part has its budget, and is done by then. */
const DRAIN = 2_000;

/** Where a server listens, by its address. */
export const baseUrlOf = (server: FastifyInstance, { tls }: Pick<Config, 'tls'>): string => {
  const { address, port, family } = server.server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `${tls === undefined ? 'http' : 'https'}://${host}:${port}`;
};

const answerErrors = (server: FastifyInstance, failures: FailureAnswers, methods: MethodTable): void => {
  server.addHook('onRoute', ({ url, method }) => methods.add(url, [method].flat()));
  server.setErrorHandler((error, request, reply) => failures.answer(error, request, reply));
  server.setNotFoundHandler((request) => {
    throw methods.failureFor(request.url);
  });
};

/** Serves health and metrics on a port of their own where one is set, with the TLS and the error body of the public one. */
export const openManagementServer = async (
  config: Pick<Config, 'host' | 'managementPort' | 'tls'>,
  routes: ReturnType<typeof managementRoutes>,
  logger: Logger,
): Promise<ManagementServer | undefined> => {
  if (config.managementPort === undefined) return undefined;
  const methods = new MethodTable();
  const failures = new FailureAnswers(logger, methods);
  const server = fastify({
    ...commonOptions(config.tls),
    frameworkErrors: (error, request, reply) =>
      failures.answer(error, request, reply.header('X-Request-Id', request.id)),
  }) as unknown as FastifyInstance;
  const drain = new Drain(server);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  answerErrors(server, failures, methods);
  serveManagement(server, routes);
  await server.listen({ port: config.managementPort, host: config.host });
  return { url: baseUrlOf(server, config), close: () => drain.close(DRAIN).then(() => undefined) };
};
