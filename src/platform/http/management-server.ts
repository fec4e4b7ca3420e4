import { fastify, type FastifyInstance } from 'fastify';
import { type Config } from '../config/config.js';
import { REFUSALS } from './failure.js';
import { type managementRoutes, serveManagement } from './management.js';
import { requestIdOf } from './request-id.js';

/** Serves health and metrics on a port of their own where one is set. */
export const openManagementServer = async (
  config: Pick<Config, 'host' | 'managementPort'>,
  routes: ReturnType<typeof managementRoutes>,
): Promise<FastifyInstance | undefined> => {
  if (config.managementPort === undefined) return undefined;
  const server = fastify({ requestIdHeader: false, genReqId: ({ headers }) => requestIdOf(headers) });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  server.setNotFoundHandler(async (request, reply) => {
    const { status, code, detail } = REFUSALS.not_found;
    return reply.code(status).send({ detail, error_code: code, request_id: request.id });
  });
  serveManagement(server, routes);
  await server.listen({ port: config.managementPort, host: config.host });
  return server;
};
