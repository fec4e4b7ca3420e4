import { type CommandBus } from '@nestjs/cqrs';
import { SpanKind } from '@opentelemetry/api';
import { type FastifyInstance } from 'fastify';
import { type JobQueue } from '../../kernel/jobs.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type OutboundHttp } from '../../platform/outbound/outbound-http.js';
import { type Database, type DatabaseOptions } from '../../platform/postgres/database.js';
import { type Reaction } from '../../kernel/reaction.js';
import { type Applying } from '../../kernel/work-tracing.js';
import { type TracedRequests } from '../../http/request-tracing.js';
import { traceRequests } from './traced-requests.js';
import { causesOf, TracedDatabase, TracedEventStore } from './traced-stores.js';
import { TracedJobQueue, TracedOutboundHttp, tracedReaction } from './traced-work.js';
import { type Traces } from './traces.js';
import { Tracing } from './tracing.js';

type Execute = (command: object) => Promise<unknown>;

/** Puts a traced part around each traced place. */
export class OtlpTracing extends Tracing {
  constructor(private readonly traces: Traces) {
    super();
  }

  override readonly requests = (server: FastifyInstance, traced: TracedRequests): void =>
    traceRequests(server, this.traces, traced);

  /** The bus knows every command of the application, so its one method is wrapped where it stands. */
  override readonly commands = (bus: CommandBus): void => {
    const execute: Execute = bus.execute.bind(bus);
    const traced: Execute = (command) =>
      this.traces.part(`command ${command.constructor.name}`, { kind: SpanKind.INTERNAL }, () => execute(command));
    Object.assign(bus, { execute: traced });
  };

  override eventStore(store: EventStore): EventStore {
    return new TracedEventStore(store, this.traces);
  }

  override database(options: DatabaseOptions): Database {
    return new TracedDatabase(options, this.traces);
  }

  override queue(queue: JobQueue): JobQueue {
    return new TracedJobQueue(queue, this.traces);
  }

  override reaction(reactor: string, reaction: Reaction): Reaction {
    return tracedReaction(reactor, reaction, this.traces);
  }

  override outbound(http: OutboundHttp): OutboundHttp {
    return new TracedOutboundHttp(http, this.traces);
  }

  override get applying(): Applying {
    return (projections, events, apply) => {
      const attributes = { 'kyc.projections': [...projections], 'kyc.events': events.length };
      return this.traces.following('project', { kind: SpanKind.CONSUMER, attributes }, causesOf(events), apply);
    };
  }
}
