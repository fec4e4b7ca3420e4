import { createHash } from 'node:crypto';
import { type StoredEvent } from '../../src/kernel/events.js';
import { createSlot, schemaOf } from '../../src/log/project/checkpoints.js';
import { type Projection } from '../../src/log/project/projection.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';

/** The rows that a projection makes of the golden log: a digest for each table and view. */
export interface GoldenRows {
  readonly version: number;
  readonly relations: Readonly<Record<string, string>>;
}

/** The definitions come from the catalogue, since the comments in schema.sql may change. */
const DEFINITIONS = `
  SELECT c.relname AS name, jsonb_build_array(c.relkind, pg_get_viewdef(c.oid),
    (SELECT jsonb_agg(jsonb_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
        ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    (SELECT jsonb_agg(pg_get_constraintdef(k.oid) ORDER BY k.conname) FROM pg_constraint k WHERE k.conrelid = c.oid),
    (SELECT jsonb_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid::regclass::text)
      FROM pg_index i WHERE i.indrelid = c.oid))::text AS definition
  FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'v') ORDER BY c.relname`;

/** The names of relations, each with its definition and its rows after every event that changed them. */
type Histories = ReadonlyMap<string, string[]>;

const definitionsIn = async (session: ProjectionSession, schema: string): Promise<Histories> => {
  const relations = await session.query<{ name: string; definition: string }>(DEFINITIONS, [schema]);
  return new Map(relations.map(({ name, definition }) => [name, [definition]]));
};

const noteRows = async (session: ProjectionSession, histories: Histories): Promise<void> => {
  for (const [name, history] of histories) {
    const rows = await session.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${name} t ORDER BY to_jsonb(t)::text COLLATE "C"`,
    );
    const text = JSON.stringify(rows.map(({ row }) => row));
    if (history.at(-1) !== text) history.push(text);
  }
};

/** Projects one event in each batch, so that rows which a later event removes count too. */
export const goldenRowsOf = async (
  session: ProjectionSession,
  projection: Projection,
  log: readonly StoredEvent[],
): Promise<GoldenRows> => {
  await session.transaction('projections', () => createSlot(session, projection, 'shadow'));
  const schema = schemaOf(projection, 'shadow');
  const histories = await definitionsIn(session, schema);
  const read = log.filter(({ stream }) => projection.streamPrefixes.some((prefix) => stream.startsWith(prefix)));
  for (const event of read) {
    await session.transaction(schema, async () => {
      await session.query('SET LOCAL TimeZone TO UTC');
      for (const { text, values } of projection.project([event])) await session.query(text, values);
      await noteRows(session, histories);
    });
  }
  const digest = (history: string[]): string => createHash('sha256').update(history.join('\n')).digest('hex');
  const relations = Array.from(histories, ([name, history]) => [name, digest(history)] as const);
  return { version: Number(projection.version.slice(1)), relations: Object.fromEntries(relations) };
};

const RECORD = 'run `npm run projections:record`';

export type Verdict = 'as recorded' | { readonly complaint: string; readonly recordable: boolean };

const changedBetween = (one: GoldenRows, other: GoldenRows): string[] =>
  [...new Set([...Object.keys(one.relations), ...Object.keys(other.relations)])].filter(
    (name) => one.relations[name] !== other.relations[name],
  );

/** Compares rows with those recorded for their version. A new version may record any rows. */
export const judge = (name: string, recorded: GoldenRows | undefined, present: GoldenRows): Verdict => {
  if (recorded === undefined) return { complaint: `nothing is recorded of ${name}: ${RECORD}`, recordable: true };
  if (present.version > recorded.version)
    return { complaint: `version ${present.version} of ${name} is not recorded: ${RECORD}`, recordable: true };
  if (present.version < recorded.version)
    return {
      complaint: `${name} had version ${recorded.version} already: a version never goes back`,
      recordable: false,
    };
  const changed = changedBetween(recorded, present);
  if (changed.length === 0) return 'as recorded';
  const next = recorded.version + 1;
  return {
    complaint: `the rows of ${name} changed (${changed.join(', ')}): raise its version to ${next}, then ${RECORD}`,
    recordable: false,
  };
};
