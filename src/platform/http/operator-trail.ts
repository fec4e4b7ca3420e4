import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { isTenantId, type TenantId } from '../../kernel/ids.js';
import './request.js';

export interface OperatorAction {
  readonly operatorHash: string;
  readonly roles: readonly string[];
  readonly requestId: string;
  /** Method and route template. */
  readonly action: string;
  /** The account that the path names. */
  readonly tenantId: TenantId | null;
}

/** Records the actions of operators. The accounts slice implements it. */
export abstract class OperatorTrail {
  /** Resolves when the record is durable. Throws Unavailable. */
  abstract record(action: OperatorAction): Promise<void>;
}

const templateOf = (request: FastifyRequest): string =>
  `${request.method} ${(request.routeOptions.url ?? '').replaceAll(/:([a-z_]+)/g, '{$1}')}`;

const actionOf = (request: FastifyRequest): OperatorAction | undefined => {
  const principal = request.context?.principal;
  if (principal?.kind !== 'operator') return undefined;
  const account = (request.params as Readonly<Record<string, string>> | undefined)?.['id'] ?? '';
  return {
    operatorHash: principal.subjectHash,
    roles: [...principal.roles],
    requestId: request.id,
    action: templateOf(request),
    tenantId: isTenantId(account) ? account : null,
  };
};

/**
 * Records every request of an operator with a sufficient role, before it has any effect. Reads and replayed responses are
 * included. An action that cannot be recorded does not happen. It is a hook, so that no path for operators can be forgotten.
 */
export const recordOperators = (server: FastifyInstance, trail: OperatorTrail): void => {
  server.addHook('preHandler', (request, _reply, done) => {
    const action = actionOf(request);
    if (action === undefined) done();
    else trail.record(action).then(() => done(), done);
  });
};
