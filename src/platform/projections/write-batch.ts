import { type Queryable } from '../postgres/database.js';
import { moveCheckpoint, type Slot } from './checkpoints.js';
import { type Batch } from './subscription-buffer.js';
import { type Projection } from './projection.js';

/** The slot that a batch is written to, and the epoch of its writer. */
export interface Target {
  readonly projection: Projection;
  readonly slot: Slot;
  readonly epoch: string;
}

/** Writes checkpoint and rows of a batch, inside the caller's transaction whose search_path is the slot's schema. */
export const writeBatch = async (
  transaction: Queryable,
  { projection, slot, epoch }: Target,
  { events, position }: Pick<Batch, 'events' | 'position'>,
): Promise<void> => {
  if (position === undefined) return;
  const statements = events.length === 0 ? [] : projection.project(events);
  await moveCheckpoint(transaction, projection, slot, epoch, position);
  for (const { text, values } of statements) await transaction.query(text, values);
};
