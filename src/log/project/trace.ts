import { type StoredEvent } from '../../kernel/events.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { createSlot, schemaOf } from './checkpoints.js';
import { keyOf, type Row, type RowDifference } from './compare.js';
import { type EventPlace, type Step, type TracedRow } from './explain.js';
import { type Projection } from './projection.js';
import { readLog } from './read-log.js';
import { type ProjectionSession } from '../../platform/postgres/session.js';

export interface DifferingRow {
  readonly table: string;
  readonly difference: RowDifference;
}

export interface TraceOptions {
  /** Holds the lock of a rebuild of this projection, whose shadow is used. */
  readonly session: ProjectionSession;
  readonly store: EventStore;
  readonly projection: Projection;
  readonly signal: AbortSignal;
  /** The position at which the rows were compared. */
  readonly until: bigint;
  readonly onProgress?: (events: number, position: bigint) => void;
}

/** Parts into which a batch is cut that changes a watched row. */
const PARTS = 8;

const placeOf = ({ position, stream, revision, type, id }: StoredEvent): EventPlace => ({
  position,
  stream,
  revision,
  type,
  id,
});

interface Watched extends DifferingRow {
  readonly steps: Step[];
  /** The row as JSON, as it is now. */
  present: string | null;
}

/** The statement that reads the watched rows of one table, through its key. */
const readerOf = async (session: ProjectionSession, schema: string, table: string): Promise<string> => {
  const key = await keyOf(session, schema, table);
  const types = await session.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = format('%I.%I', $1::text, $2::text)::regclass AND attname = ANY ($3)`,
    [schema, table, key],
  );
  const typeOf = new Map(types.map(({ name, type }) => [name, type]));
  const values = key.map((column, place) => `(w.key ->> ${place})::${typeOf.get(column)} AS ${column}`).join(', ');
  const built = key.map((column) => `t.${column}`).join(', ');
  return `SELECT jsonb_build_array(${built})::text AS key, to_jsonb(t)::text AS row FROM ${table} t
          JOIN (SELECT ${values} FROM jsonb_array_elements($1::jsonb) AS w(key)) AS wanted USING (${key.join(', ')})`;
};

/** The texts of a key. An event that names all of them may make the row and unmake it within one batch. */
const textsOf = (key: string): readonly string[] =>
  (JSON.parse(key) as unknown[]).filter((part): part is string => typeof part === 'string');

/** Applies the log from its beginning and notes each event that changes one of the watched rows. */
class Trace {
  private readonly readers = new Map<string, string>();
  /** Keys of rows that the log unmakes, or never makes. */
  private readonly fleeting: readonly (readonly string[])[];
  private applied = 0;

  constructor(
    private readonly options: TraceOptions,
    private readonly watched: readonly Watched[],
  ) {
    this.fleeting = watched
      .filter(({ difference }) => difference.rebuilt === null)
      .map(({ difference }) => textsOf(difference.key));
  }

  async run(): Promise<void> {
    const { session, store, projection, signal, until, onProgress } = this.options;
    const schema = schemaOf(projection, 'shadow');
    await session.transaction('projections', () => createSlot(session, projection, 'shadow'));
    for (const { table } of this.watched)
      if (!this.readers.has(table)) this.readers.set(table, await readerOf(session, schema, table));
    const { streamPrefixes } = projection;
    const part = { store, streamPrefixes, after: undefined, until, signal };
    await readLog(
      part,
      (events) => events,
      async (events) => {
        await session.transaction(schema, () => this.applyAll(events));
        this.applied += events.length;
        const last = events.at(-1);
        if (last !== undefined) onProgress?.(this.applied, last.position);
      },
    );
  }

  private async applyAll(events: readonly StoredEvent[]): Promise<void> {
    let from = 0;
    for (const [index, event] of events.entries()) {
      if (!this.isFleeting(event)) continue;
      await this.narrow(events.slice(from, index));
      await this.narrow([event]);
      from = index + 1;
    }
    await this.narrow(events.slice(from));
  }

  private isFleeting({ stream, data, id, metadata }: StoredEvent): boolean {
    if (this.fleeting.length === 0) return false;
    const text = `${stream} ${id} ${metadata.time} ${JSON.stringify(data)}`;
    return this.fleeting.some((parts) => parts.every((part) => text.includes(part)));
  }

  /** Applies events together, and in smaller parts if together they change a watched row. */
  private async narrow(events: readonly StoredEvent[]): Promise<void> {
    const [event, ...others] = events;
    if (event === undefined) return;
    const { session } = this.options;
    await session.query('SAVEPOINT part');
    await this.apply(events);
    const changed = await this.changed();
    if (changed.size > 0 && others.length > 0) {
      await session.query('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part');
      const size = Math.ceil(events.length / PARTS);
      for (let from = 0; from < events.length; from += size) await this.narrow(events.slice(from, from + size));
      return;
    }
    await session.query('RELEASE SAVEPOINT part');
    for (const [row, after] of changed) this.note(row, event, after);
  }

  private async apply(events: readonly StoredEvent[]): Promise<void> {
    const { session, projection } = this.options;
    for (const { text, values } of projection.project(events)) await session.query(text, values);
  }

  private async changed(): Promise<ReadonlyMap<Watched, string | null>> {
    const changed = new Map<Watched, string | null>();
    for (const [table, text] of this.readers) {
      const rows = this.watched.filter((row) => row.table === table);
      const keys = `[${rows.map(({ difference }) => difference.key).join(',')}]`;
      const found = await this.options.session.query<{ key: string; row: string }>(text, [keys]);
      const present = new Map(found.map(({ key, row }) => [key, row]));
      for (const row of rows) {
        const now = present.get(row.difference.key) ?? null;
        if (now !== row.present) changed.set(row, now);
      }
    }
    return changed;
  }

  private note(row: Watched, event: StoredEvent, after: string | null): void {
    const parsed = (text: string | null): Row | null => (text === null ? null : (JSON.parse(text) as Row));
    row.steps.push({ event: placeOf(event), before: parsed(row.present), after: parsed(after) });
    row.present = after;
  }
}

/** What the log does to these rows, event by event, from its beginning. */
export const traceRows = async (
  options: TraceOptions,
  rows: readonly DifferingRow[],
): Promise<readonly TracedRow[]> => {
  const watched = rows.map((row): Watched => ({ ...row, steps: [], present: null }));
  if (watched.length > 0) await new Trace(options, watched).run();
  return watched;
};
