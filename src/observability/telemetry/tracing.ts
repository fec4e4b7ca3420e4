import { type CommandBus } from '@nestjs/cqrs';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type StoredEvent } from '../../kernel/events.js';
import { type JobQueue } from '../../kernel/jobs.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type OutboundHttp } from '../../platform/outbound/outbound-http.js';
import { Database, type DatabaseOptions } from '../../platform/postgres/database.js';
import { type Reaction } from '../../kernel/reaction.js';

/** Runs `apply`, which writes the rows of these events for these projections. */
export type Applying = <Result>(
  projections: readonly string[],
  events: readonly StoredEvent[],
  apply: () => Promise<Result>,
) => Promise<Result>;

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

const nothing = (): void => undefined;

/**
 * The places of the service that can be traced. This class traces none of them: each method gives back what it got, so
 * nothing stands in the way of a request. `OtlpTracing` is used where a collector is configured.
 */
export class Tracing {
  /** Call it before any other hook is added. */
  readonly requests: (server: FastifyInstance, traced: TracedRequests) => void = nothing;
  readonly commands: (bus: CommandBus) => void = nothing;

  eventStore(store: EventStore): EventStore {
    return store;
  }

  database(options: DatabaseOptions): Database {
    return new Database(options);
  }

  queue(queue: JobQueue): JobQueue {
    return queue;
  }

  reaction(_reactor: string, reaction: Reaction): Reaction {
    return reaction;
  }

  outbound(http: OutboundHttp): OutboundHttp {
    return http;
  }

  get applying(): Applying {
    return (_projections, _events, apply) => apply();
  }
}
