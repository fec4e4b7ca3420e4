import { type ErrorCode } from '../kernel/error-codes.js';
import { type KeyedAttempt } from '../idempotency/keyed-attempt.js';
import { type OpenAct } from './operator-trail.js';
import { type Warning } from './unknown-names.js';
import { type AnonymousPrincipal, type Principal, type RequestContext } from './request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent if no caller was admitted, for example on an unknown path. */
    context: RequestContext<Principal | AnonymousPrincipal> | undefined;
    /** Who called, with valid credentials, even if they do not allow the call. */
    caller: Principal | AnonymousPrincipal | undefined;
    /** The bytes of the body as they arrived. */
    rawBody: Buffer | undefined;
    /** Its caller was admitted, or refused by the limit's count: an error after that is not counted again. */
    isCounted: boolean;
    /** Of the caller; null where a proxy wrote what cannot be read. */
    address: string | null;
    /** When the request began, on Clock.monotonic. */
    startedAt: number;
    /** Present if the request came with an Idempotency-Key that was free. */
    attempt: KeyedAttempt | undefined;
    /** The code of the error that answers it. */
    errorCode: ErrorCode | undefined;
    /** The request was refused before its operation began. */
    refusedBeforeOperation: boolean;
    /** The record of an operator's request whose outcome is still to come. */
    openAct: OpenAct | undefined;
    /** Names in the body that were ignored. */
    warnings: readonly Warning[] | undefined;
  }
}
