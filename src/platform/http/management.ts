import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { refuse } from '../../kernel/rejection.js';
import { bearerTokenOf, mayPass } from './caller.js';
import { REFUSALS } from './failure.js';
import { type HealthChecks } from './health.js';
import { type Metrics } from './metrics.js';
import { type Authenticator, ROLES } from './request-context.js';

export interface ManagementRoute {
  readonly path: string;
  readonly summary: string;
  /** Access on the public port: everybody, everybody with the details for operators, or operators only. */
  readonly shown: 'all' | 'in_full_to_operators' | 'to_operators';
  /** `inFull`: the caller may see the details of the process. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply, inFull: boolean) => Promise<unknown>;
}

/** The routes that describe the process itself; not rate limited. */
export const managementRoutes = (health: HealthChecks, metrics: Metrics): readonly ManagementRoute[] => [
  {
    path: '/health/live',
    summary: 'The process runs',
    shown: 'all',
    answer: () => Promise.resolve({ status: 'up' }),
  },
  {
    path: '/health/ready',
    summary: 'Whether the service can serve; on the management port, and for operators, the state of each of its parts',
    shown: 'in_full_to_operators',
    answer: async (request, reply, inFull) => {
      const { status, ...details } = await health.ready();
      const state = inFull ? { status, ...details } : { status };
      if (status !== 'down') return state;
      const refusal = REFUSALS.unavailable;
      reply.code(refusal.status);
      return { ...state, detail: refusal.detail, error_code: refusal.code, request_id: request.id };
    },
  },
  {
    path: '/metrics',
    summary: 'Metrics in the Prometheus text format; on the public port for operators alone',
    shown: 'to_operators',
    answer: async (_request, reply, inFull) => {
      if (!inFull) throw refuse('missing_token');
      reply.type(metrics.registry.contentType);
      return metrics.registry.metrics();
    },
  },
];

/** Decides whether a caller gets the details. */
export type Insight = (request: FastifyRequest) => Promise<boolean>;

/** For callers of the management port. */
export const everybody: Insight = () => Promise.resolve(true);

/** For callers with an operator's token of any role. Throws if the token is not an operator's. */
export const operatorsOnly =
  (authenticator: Authenticator): Insight =>
  async (request) => {
    const token = bearerTokenOf(request);
    if (token === undefined) return false;
    if (!mayPass({ kind: 'role', roles: ROLES }, await authenticator.byToken(token, 'role'))) throw refuse('forbidden');
    return true;
  };

export const serveManagement = (
  server: FastifyInstance,
  routes: readonly ManagementRoute[],
  insight: Insight,
): void => {
  for (const { path, shown, answer } of routes) {
    server.get(path, { config: { access: { kind: 'unlimited' } } }, async (request, reply) =>
      answer(request, reply, shown !== 'all' && (await insight(request))),
    );
  }
};
