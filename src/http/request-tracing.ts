import { type FastifyInstance, type FastifyRequest } from 'fastify';

/** What a trace says of requests, which the HTTP server knows. */
export interface TracedRequests {
  /** False for health and metrics. */
  readonly isTraced: (request: FastifyRequest) => boolean;
  /** Once it is answered. */
  readonly outcomeOf: (request: FastifyRequest) => {
    readonly account: string | undefined;
    readonly errorCode: string | undefined;
  };
}

export abstract class RequestTracing {
  /** Call it before any other hook is added. */
  abstract readonly requests: (server: FastifyInstance, traced: TracedRequests) => void;
}
