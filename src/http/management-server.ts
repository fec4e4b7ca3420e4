import { type AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { type Config } from '../platform/config/config.js';
import { Connections } from './connections.js';
import { askForBodies } from './asked-bodies.js';
import { Drain } from './drain.js';
import { type ErrorResponseFilter } from './error-response.filter.js';
import { type AccessHook } from './access-hook.js';
import { everybody, type managementRoutes, serveManagement } from './management.js';
import { type MethodTable } from './method-table.js';
import { EVERY_HEADER, serverOptions, type UnroutedResponses } from './server-options.js';

export interface ManagementServer {
  readonly url: string;
  /** Waits for requests in flight, at most 2 s. */
  close(): Promise<void>;
}

/** Milliseconds. Every check of a part ends within its budget, so it ends before this. */
const DRAIN = 2_000;

/** The base URL of a listening server. */
export const baseUrlOf = (server: FastifyInstance, { tls }: Pick<Config, 'tls'>): string => {
  const { address, port, family } = server.server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `${tls === undefined ? 'http' : 'https'}://${host}:${port}`;
};

/** The parts that serve the management port. */
export interface ManagementParts {
  readonly routes: ReturnType<typeof managementRoutes>;
  /** Uses the paths of this port. */
  readonly accessHook: AccessHook;
  readonly methods: MethodTable;
  readonly failures: ErrorResponseFilter;
  readonly unrouted: (connections: () => Connections) => UnroutedResponses;
}

/** Serves health and metrics on their own port, if one is set. TLS, headers and the error body are those of the public port. */
export const openManagementServer = async (
  config: Pick<Config, 'host' | 'managementPort' | 'tls' | 'keepAlive'>,
  { routes, accessHook, methods, failures, unrouted }: ManagementParts,
): Promise<ManagementServer | undefined> => {
  if (config.managementPort === undefined) return undefined;
  const server: FastifyInstance = fastify(
    serverOptions(
      config,
      unrouted(() => connections),
    ),
  );
  const connections = new Connections(server.server);
  const drain = new Drain(server);
  askForBodies(server);
  server.server.maxHeadersCount = EVERY_HEADER;
  server.decorateRequest('context', undefined);
  server.addHook('onRoute', ({ url, method }) => methods.add(url, [method].flat()));
  server.addHook('onRequest', (request, reply) => accessHook.admit(request, reply));
  server.setErrorHandler((error, request, reply) => failures.answer(error, request, reply));
  server.setNotFoundHandler((request) => {
    throw methods.failureFor(request.url);
  });
  serveManagement(server, routes, everybody);
  await server.listen({ port: config.managementPort, host: config.host });
  return { url: baseUrlOf(server, config), close: () => drain.close(DRAIN).then(() => undefined) };
};
