import { type AnonymousPrincipal, type Principal, type RequestContext } from './request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent where nobody was found out, for example on an unknown path. */
    context: RequestContext<Principal | AnonymousPrincipal> | undefined;
    /** The bytes of the body as they came. */
    rawBody: Buffer | undefined;
    /** When the request began, on Clock.monotonic. */
    startedAt: number;
  }
}
