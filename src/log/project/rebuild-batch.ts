import { type StoredEvent } from '../../kernel/events.js';
import { CannotApply } from './cannot-apply.js';
import { moveCheckpoint, type Slot } from './checkpoints.js';
import { copyRows } from '../../platform/postgres/copy-rows.js';
import { type Copy, copyText } from './copy.js';
import { type Projection, type Statement } from './projection.js';
import { type ProjectionSession } from '../../platform/postgres/session.js';
import { type ShadowIndexes } from './shadow-indexes.js';

/** The slot that a batch is written to, and the epoch of its writer. */
export interface Target {
  readonly projection: Projection;
  readonly slot: Slot;
  readonly epoch: string;
}

interface Step {
  readonly statement: Statement;
  readonly copy?: { readonly how: Copy; readonly rows: Buffer };
}

/** A prepared batch. It is made while the previous batch is written. */
export interface RebuildBatch {
  readonly events: readonly StoredEvent[];
  readonly position: bigint;
  readonly steps: readonly Step[];
  readonly searches: boolean;
}

const toStep = (statement: Statement): Step => {
  const { copy } = statement;
  return copy === undefined ? { statement } : { statement, copy: { how: copy, rows: copyRows(copy.rows()) } };
};

/** Throws CannotApply. */
const statementsOf = (projection: Projection, events: readonly StoredEvent[]): readonly Statement[] => {
  if (events.length === 0) return [];
  try {
    return projection.project(events);
  } catch (error) {
    if (events.length > 1) for (const event of events) statementsOf(projection, [event]);
    throw new CannotApply(projection.name, events[0] as StoredEvent, error);
  }
};

export const toRebuildBatch = (
  projection: Projection,
  events: readonly StoredEvent[],
  position: bigint,
): RebuildBatch => {
  const statements = statementsOf(projection, events);
  const searches = statements.some((statement) => statement.searches === true);
  return { events, position, steps: statements.map(toStep), searches };
};

type Statements = readonly Pick<Statement, 'text' | 'values'>[];

const run = async (session: ProjectionSession, statements: Statements, indexes: ShadowIndexes): Promise<void> => {
  for (const { text, values } of statements) {
    await indexes.makeKeysFor(text);
    await session.query(text, values);
  }
};

/** Writes checkpoint and rows of a batch, inside the caller's transaction whose search_path is the shadow. */
export const writeRebuildBatch = async (
  session: ProjectionSession,
  { projection, slot, epoch }: Target,
  { position, steps, searches }: RebuildBatch,
  indexes: ShadowIndexes,
): Promise<void> => {
  await moveCheckpoint(session, projection, slot, epoch, position);
  if (searches) await indexes.make();
  for (const { statement, copy } of steps) {
    if (copy === undefined || !(await indexes.makeWay(copy.how))) await run(session, [statement], indexes);
    else {
      if (copy.rows.length > 0) await session.copy(copyText(copy.how), copy.rows);
      await run(session, copy.how.rest?.() ?? [], indexes);
    }
  }
};
