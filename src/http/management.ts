import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { refuse } from '../kernel/rejection.js';
import { bearerTokenOf, mayPass } from './caller.js';
import { refusalOf } from './failure.js';
import { type HealthChecks, type PartState } from '../observability/health.js';
import { type Metrics } from '../observability/metrics.js';
import { type Authenticator, ROLES } from './request-context.js';

export interface ManagementRoute {
  /** Its operationId. */
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  /** Access on the public port: everybody, everybody with the details for operators, or operators only. */
  readonly shown: 'all' | 'in_full_to_operators' | 'to_operators';
  /** Its answer in the OpenAPI document. */
  readonly body: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
  /** `inFull`: the caller may see the details of the process. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply, inFull: boolean) => Promise<unknown>;
}

const STATES: readonly PartState[] = ['up', 'degraded', 'down'];
const STATE = { type: 'string', enum: STATES };

const LIVENESS = {
  'application/json': {
    schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', enum: ['up'] } } },
    example: { status: 'up' },
  },
};

const READINESS = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status'],
      properties: {
        status: {
          ...STATE,
          description: 'degraded where a part is not up that the service can do without for a while',
        },
        parts: { type: 'object', description: 'The state of each part', additionalProperties: STATE },
      },
    },
    example: { status: 'up', parts: { postgres: 'up', event_store: 'up' } },
  },
};

const METRICS = {
  'text/plain': {
    schema: { type: 'string' },
    example:
      '# TYPE http_request_duration_seconds histogram\nhttp_request_duration_seconds_count{method="GET",route="/billing/credits",status="200"} 7\n',
  },
};

/** The routes that describe the process itself; not rate limited. */
export const managementRoutes = (health: HealthChecks, metrics: Metrics): readonly ManagementRoute[] => [
  {
    name: 'getLiveness',
    body: LIVENESS,
    path: '/health/live',
    summary: 'The process runs',
    shown: 'all',
    answer: () => Promise.resolve({ status: 'up' }),
  },
  {
    name: 'getReadiness',
    body: READINESS,
    path: '/health/ready',
    summary: 'Whether the service can serve; on the management port, and for operators, the state of each of its parts',
    shown: 'in_full_to_operators',
    answer: async (request, reply, inFull) => {
      const { status, ...details } = await health.ready();
      const state = inFull ? { status, ...details } : { status };
      if (status !== 'down') return state;
      const refusal = refusalOf('unavailable');
      reply.code(refusal.status);
      return { ...state, detail: refusal.detail, error_code: refusal.code, request_id: request.id };
    },
  },
  {
    name: 'getMetrics',
    body: METRICS,
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
