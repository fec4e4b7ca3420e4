import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Clock } from '../kernel/clock.js';
import { type FieldChange } from '../kernel/field-change.js';
import { isTenantId, type TenantId } from '../kernel/ids.js';
import { describeError, type Logger } from '../observability/logging.js';
import './request.js';
import { type OperatorPrincipal, type RequestContext } from './request-context.js';

export interface OperatorAction {
  readonly operatorHash: string;
  /** The token's subject, or the name that a command line gave. */
  readonly operator: string;
  readonly roles: readonly string[];
  readonly requestId: string;
  /** Method and route template. */
  readonly action: string;
  /** The account that the path names. */
  readonly tenantId: TenantId | null;
  /** What it is done to, by the names of the path or of the command line's options. */
  readonly target: Readonly<Record<string, string>>;
  readonly justification: string | null;
}

/**
 * What became of an operator's request. `unknown`: it ended in an error that does not say whether there was an effect.
 * `repeated`: the kept answer of an earlier request was sent again, without an effect.
 */
export const OPERATOR_OUTCOMES = ['done', 'refused', 'repeated', 'unknown'] as const;
export type OperatorOutcome = (typeof OPERATOR_OUTCOMES)[number];

export interface Conclusion {
  readonly outcome: OperatorOutcome;
  /** HTTP status. Null for a command line. */
  readonly status: number | null;
  readonly code: string | null;
  /** What is known to have changed. */
  readonly changes: readonly FieldChange[];
}

/** A recorded action whose outcome is still to come. */
export interface OpenAct {
  readonly actId: string;
  readonly action: OperatorAction;
}

/** Records the actions of operators. The accounts slice implements it. */
export abstract class OperatorTrail {
  /** Resolves when the record is durable. Throws Unavailable. */
  abstract record(action: OperatorAction): Promise<OpenAct>;
  /** Records what became of an action, once. Throws Unavailable. */
  abstract conclude(act: OpenAct, conclusion: Conclusion): Promise<void>;
}

/**
 * Milliseconds after its record within which an outcome may be written. A reader finds it within this distance. What takes
 * longer stays unknown.
 */
export const OUTCOME_WITHIN = 60_000;
/** The writer stops earlier, since an append that gave no answer may land late. */
const WRITTEN_WITHIN = OUTCOME_WITHIN - 15_000;

/** Notes what an operator's request changed. The change is durable already. Of other callers nothing is noted. */
export const noteChanges = (
  { changes }: Pick<RequestContext<OperatorPrincipal>, 'changes'>,
  changed: readonly FieldChange[],
): void => {
  changes?.push(...changed);
};

const templateOf = (request: FastifyRequest): string =>
  `${request.method} ${(request.routeOptions.url ?? '').replaceAll(/:([a-z_]+)/g, '{$1}')}`;

/** Characters. Longer than any field takes: what is refused is recorded too. */
const MAX_REASON_LENGTH = 4_000;

/** The body is not validated yet. */
const reasonOf = (body: unknown): string | null => {
  const { reason } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return typeof reason === 'string' ? reason.slice(0, MAX_REASON_LENGTH) : null;
};

const actionOf = (request: FastifyRequest): OperatorAction | undefined => {
  const principal = request.context?.principal;
  if (principal?.kind !== 'operator') return undefined;
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const account = params['id'] ?? '';
  return {
    operatorHash: principal.subjectHash,
    operator: principal.subject,
    roles: [...principal.roles],
    requestId: request.id,
    action: templateOf(request),
    tenantId: isTenantId(account) ? account : null,
    target: params,
    justification: reasonOf(request.body),
  };
};

const begin = async (request: FastifyRequest, action: OperatorAction, trail: OperatorTrail): Promise<void> => {
  request.openAct = await trail.record(action);
  if (request.context !== undefined) request.context = { ...request.context, changes: [] };
};

/**
 * Records every request of an operator with a sufficient role, before it has any effect. Reads and replayed responses are
 * included. An action that cannot be recorded does not happen. It is a hook, so that no path for operators can be forgotten.
 */
export const recordOperators = (server: FastifyInstance, trail: OperatorTrail): void => {
  server.addHook('preHandler', (request, _reply, done) => {
    const action = actionOf(request);
    if (action === undefined) done();
    else begin(request, action, trail).then(() => done(), done);
  });
};

/** An error of the 500s does not say whether the request took effect. */
const outcomeOf = (status: number, isRepeated: boolean): OperatorOutcome => {
  if (status >= 500) return 'unknown';
  if (isRepeated) return 'repeated';
  return status >= 400 ? 'refused' : 'done';
};

const conclusionOf = (request: FastifyRequest, reply: FastifyReply): Conclusion => {
  const status = reply.statusCode;
  const outcome = outcomeOf(status, reply.hasHeader('Idempotency-Replayed'));
  return { outcome, status, code: request.errorCode ?? null, changes: request.context?.changes ?? [] };
};

/**
 * Records what became of each recorded request, before its answer goes out. The answer never depends on it: an outcome that
 * cannot be recorded stays unknown. This hook is the last to see an answer, so the answer is the one that is sent.
 */
export const concludeOperators = (
  server: FastifyInstance,
  trail: OperatorTrail,
  clock: Clock,
  logger: Logger,
): void => {
  const conclude = async (act: OpenAct, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (clock.monotonic() - request.startedAt > WRITTEN_WITHIN) return;
    await trail.conclude(act, conclusionOf(request, reply)).catch((error: unknown) => {
      const logFields = { request_id: request.id, error: describeError(error) };
      logger.warn(logFields, "the outcome of an operator's request could not be recorded and stays unknown");
    });
  };
  server.addHook('onSend', (request, reply, payload, done) => {
    const act = request.openAct;
    if (act === undefined) {
      done(null, payload);
      return;
    }
    request.openAct = undefined;
    const concluded = conclude(act, request, reply);
    // A store that is away has already taken its time to fail.
    if (reply.statusCode >= 500) done(null, payload);
    else void concluded.then(() => done(null, payload));
  });
};
