import { type StoredEvent } from '../../kernel/events.js';
import { moveCheckpoint } from './checkpoints.js';
import { type Cell, copyRows, copyText } from './copy.js';
import { type Projection, type Statement } from './projection.js';
import { type SecondaryIndexes } from './secondary-indexes.js';
import { type ProjectionSession } from './session.js';
import { type Target } from './write-batch.js';

type Step = Statement | { readonly copy: string; readonly rows: Buffer };

/** What a batch comes to, ready to be sent: made while the batch before it is being written. */
export interface RebuildBatch {
  readonly events: number;
  readonly position: bigint;
  readonly steps: readonly Step[];
  readonly searches: boolean;
}

const toStep = (statement: Statement): Step =>
  statement.copy === undefined
    ? statement
    : { copy: copyText(statement.copy), rows: copyRows(statement.values as readonly (readonly Cell[])[]) };

export const toRebuildBatch = (
  projection: Projection,
  events: readonly StoredEvent[],
  position: bigint,
): RebuildBatch => {
  const statements = events.length === 0 ? [] : projection.project(events);
  const searches = statements.some((statement) => statement.searches === true);
  return { events: events.length, position, steps: statements.map(toStep), searches };
};

/** Checkpoint and rows of a batch, inside the caller's transaction whose search_path is the shadow. */
export const writeRebuildBatch = async (
  session: ProjectionSession,
  { projection, slot, epoch }: Target,
  { position, steps, searches }: RebuildBatch,
  indexes: SecondaryIndexes,
): Promise<void> => {
  await moveCheckpoint(session, projection, slot, epoch, position);
  if (searches) await indexes.make();
  for (const step of steps) {
    if ('copy' in step && 'rows' in step) await session.copy(step.copy, step.rows);
    else await session.query(step.text, step.values);
  }
};
