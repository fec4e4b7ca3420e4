import { type CommandBus } from '@nestjs/cqrs';
import { type FastifyInstance } from 'fastify';
import { type RequestTracing, type TracedRequests } from '../../http/request-tracing.js';
import { WorkTracing } from '../../kernel/work-tracing.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type OutboundHttp } from '../../platform/outbound/outbound-http.js';
import { Database, type DatabaseOptions } from '../../platform/postgres/database.js';

const nothing = (): void => undefined;

/**
 * The places of the service that can be traced. This class traces none of them: each method gives back what it got, so
 * nothing stands in the way of a request. `OtlpTracing` is used where a collector is configured.
 */
export class Tracing extends WorkTracing implements RequestTracing {
  readonly requests: (server: FastifyInstance, traced: TracedRequests) => void = nothing;
  readonly commands: (bus: CommandBus) => void = nothing;

  eventStore(store: EventStore): EventStore {
    return store;
  }

  database(options: DatabaseOptions): Database {
    return new Database(options);
  }

  outbound(http: OutboundHttp): OutboundHttp {
    return http;
  }
}
