import { type StoredEvent } from '../../kernel/events.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { Fenced } from './checkpoints.js';

/** A projection has no rows for this event, or Postgres refuses them. */
export class CannotApply extends Error {
  override readonly name = 'CannotApply';

  constructor(
    projection: string,
    readonly event: StoredEvent,
    cause: unknown,
  ) {
    const { type, position, stream } = event;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${projection} cannot apply ${type} at position ${position} of ${stream}: ${why}`, { cause });
  }
}

/** Whether a later try may succeed without a change of code or rows. */
export const isPassing = (error: unknown): boolean => error instanceof Unavailable || error instanceof Fenced;

/** Applies the events of a failed batch one by one. Throws CannotApply for the first that fails. */
export const applyEach = async (
  projection: string,
  events: readonly StoredEvent[],
  apply: (event: StoredEvent) => Promise<void>,
): Promise<void> => {
  for (const event of events) {
    await apply(event).catch((cause: unknown) => {
      throw isPassing(cause) || cause instanceof CannotApply ? cause : new CannotApply(projection, event, cause);
    });
  }
};
