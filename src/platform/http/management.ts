import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { REFUSALS } from './failure.js';
import { type HealthChecks } from './health.js';
import { type Metrics } from './metrics.js';

interface ManagementRoute {
  readonly path: string;
  readonly summary: string;
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

/** What tells of the process itself; not rate limited. */
export const managementRoutes = (health: HealthChecks, metrics: Metrics): readonly ManagementRoute[] => [
  {
    path: '/health/live',
    summary: 'The process runs',
    answer: () => Promise.resolve({ status: 'up' }),
  },
  {
    path: '/health/ready',
    summary: 'Whether the service can serve, and the state of each of its parts',
    answer: async (request, reply) => {
      const state = await health.ready();
      if (state.status !== 'down') return state;
      const { status, code, detail } = REFUSALS.unavailable;
      reply.code(status);
      return { ...state, detail, error_code: code, request_id: request.id };
    },
  },
  {
    path: '/metrics',
    summary: 'Metrics in the Prometheus text format',
    answer: async (_request, reply) => {
      reply.type(metrics.registry.contentType);
      return metrics.registry.metrics();
    },
  },
];

export const serveManagement = (server: FastifyInstance, routes: readonly ManagementRoute[]): void => {
  for (const { path, answer } of routes) {
    server.get(path, { config: { access: { kind: 'unlimited' } } }, answer);
  }
};
