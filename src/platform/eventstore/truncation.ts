import {
  AccessDeniedError,
  END,
  type EventStoreDBClient,
  START,
  StreamDeletedError,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { Unavailable } from '../../kernel/unavailable.js';

/** Sets $tb to `revision` where it is lower or absent. */
export const truncateStream = async (
  client: EventStoreDBClient,
  stream: string,
  revision: bigint,
  budgetMs: number,
): Promise<void> => {
  try {
    const { metadata = {} } = await client.getStreamMetadata(stream, { deadline: budgetMs });
    const { truncateBefore = 0 } = metadata;
    if (truncateBefore === END || (truncateBefore !== START && truncateBefore >= Number(revision))) return;
    const truncated = { ...metadata, truncateBefore: Number(revision) };
    await client.setStreamMetadata(stream, truncated, { deadline: budgetMs });
  } catch (error) {
    if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return;
    if (error instanceof AccessDeniedError) throw error;
    throw new Unavailable('event_store', { cause: error });
  }
};
