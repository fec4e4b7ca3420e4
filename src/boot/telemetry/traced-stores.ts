import { type SpanOptions, SpanKind } from '@opentelemetry/api';
import { type NewEvent, type StoredEvent } from '../../kernel/events.js';
import { DelegatingEventStore } from '../../platform/eventstore/delegating-event-store.js';
import { type ExpectedRevision } from '@kyc/esdb-client/requests';
import { type AppendOptions, type AppendResult, type EventStore } from '../../platform/eventstore/event-store.js';
import { Database, type DatabaseOptions, type Queryable } from '../../platform/postgres/database.js';
import { type Traces } from './traces.js';

/** The requests that caused these events. */
export const causesOf = (events: readonly (NewEvent | StoredEvent)[]): ReadonlySet<string> =>
  new Set(events.map(({ metadata }) => metadata.$correlationId));

/** A span for each append. The stream's name is cut to its category: the rest may name a person's record. */
export class TracedEventStore extends DelegatingEventStore {
  constructor(
    store: EventStore,
    private readonly traces: Traces,
  ) {
    super(store);
  }

  override append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    const category = stream.slice(0, stream.indexOf('-'));
    const attributes = {
      'db.system.name': 'eventstoredb',
      'db.operation.name': 'append',
      'db.collection.name': category,
      'db.operation.batch.size': events.length,
    };
    return this.traces.append(`append ${category}`, { kind: SpanKind.CLIENT, attributes }, causesOf(events), () =>
      this.store.append(stream, events, expected, options),
    );
  }
}

const FIRST_WORD = /^\s*([a-z]+)/i;
const FIRST_TABLE = /\b(?:FROM|INTO|UPDATE)\s+(?:ONLY\s+)?([a-z_][a-z0-9_.]*)/i;

/** A statement by its name, or else by its operation and first table. Texts of statements hold no values. */
export const summaryOf = (text: string, name?: string): { readonly operation: string; readonly summary: string } => {
  const operation = (FIRST_WORD.exec(text)?.[1] ?? 'statement').toUpperCase();
  const table = FIRST_TABLE.exec(text)?.[1];
  return { operation, summary: name ?? (table === undefined ? operation : `${operation} ${table}`) };
};

const statementOptions = (operation: string, summary: string): SpanOptions => ({
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.summary': summary },
});

/** A span for each statement and each transaction that a request or a job waits for. */
export class TracedDatabase extends Database {
  constructor(
    options: DatabaseOptions,
    private readonly traces: Traces,
  ) {
    super(options);
  }

  override query<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    const { operation, summary } = summaryOf(text, name);
    return this.traces.part(`postgres ${summary}`, statementOptions(operation, summary), () =>
      super.query<Row>(text, values, name),
    );
  }

  override transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    return this.traces.part('postgres transaction', statementOptions('TRANSACTION', 'transaction'), () =>
      super.transaction(work),
    );
  }
}
