import {
  AccessDeniedError,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { StoreUnavailable } from './events.js';

/** Limit of conflicts with others that set metadata of the same stream at the same moment. */
const MAX_TRIES = 20;

interface Present {
  /** As stored: `$tb`, `$maxCount`, … */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly revision: bigint | typeof NO_STREAM;
}

/**
 * The client's own getStreamMetadata returns a commit position as the revision. A conditional append needs the true
 * revision.
 */
const readMetadata = async (client: EventStoreDBClient, metastream: string, deadline: number): Promise<Present> => {
  let present: Present = { metadata: {}, revision: NO_STREAM };
  try {
    const last = { direction: BACKWARDS, fromRevision: END, maxCount: 1, deadline } as const;
    for await (const { event } of client.readStream(metastream, last)) {
      if (event !== undefined)
        present = { metadata: event.isJson ? (event.data as Record<string, unknown>) : {}, revision: event.revision };
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return present;
};

/** Returns false if another writer set metadata in between; nothing was written then. */
const tryToTruncate = async (
  client: EventStoreDBClient,
  stream: string,
  revision: bigint,
  deadline: number,
): Promise<boolean> => {
  const metastream = `$$${stream}`;
  const { metadata, revision: expectedRevision } = await readMetadata(client, metastream, deadline);
  if (Number(metadata['$tb'] ?? 0) >= Number(revision)) return true;
  const changed = jsonEvent({ type: '$metadata', data: { ...metadata, $tb: Number(revision) } });
  try {
    await client.appendToStream(metastream, changed, { deadline, expectedRevision });
    return true;
  } catch (error) {
    if (error instanceof WrongExpectedVersionError) return false;
    throw error;
  }
};

/** Sets $tb to `revision` if it is lower or absent. Safe against concurrent changes. */
export const truncateStream = async (
  client: EventStoreDBClient,
  stream: string,
  revision: bigint,
  budgetMs: number,
): Promise<void> => {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (await tryToTruncate(client, stream, revision, budgetMs)) return;
    }
  } catch (error) {
    if (error instanceof StreamDeletedError) return;
    if (error instanceof AccessDeniedError) throw error;
    throw new StoreUnavailable({ cause: error });
  }
  throw new StoreUnavailable({ cause: new Error(`metadata of ${stream} is set by others all the time`) });
};
