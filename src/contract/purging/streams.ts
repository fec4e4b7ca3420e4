import { type Recorded, type StoredEvent } from '../../kernel/events.js';
import { type DomainEvent } from '../../kernel/decider.js';
import { paginate } from '../../kernel/paginate.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type AgeingStream, type Piece, type PurgeRound, ROWS_A_PIECE } from './purge-step.js';

/** The oldest piece to purge. */
interface OldestPiece extends Piece {
  /** Whether events past their limit remain above it. */
  readonly more: boolean;
}

/** How many rows an event is. */
type Weigh<Event extends DomainEvent> = (event: Recorded<Event>) => number;

const endingWith = ({ revision }: StoredEvent): { readonly firstKept: number } => ({ firstKept: Number(revision) + 1 });

/** The stream's oldest events up to the first that must be kept. Undefined if the oldest event must be kept. */
const oldestPiece = async <Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  since: Date,
  rowsOf: Weigh<Event>,
): Promise<OldestPiece | undefined> => {
  let last: StoredEvent | undefined;
  let latest = 0;
  let count = 0;
  for await (const page of store.readPages(stream)) {
    for (const event of page as readonly Recorded<Event>[]) {
      const time = new Date(event.metadata.time).getTime();
      if (time >= since.getTime()) return last && { ...endingWith(last), occurredBefore: since, more: false };
      if (count >= ROWS_A_PIECE)
        return last && { ...endingWith(last), occurredBefore: new Date(latest + 1), more: true };
      last = event;
      latest = Math.max(latest, time);
      count += rowsOf(event);
    }
  }
  return last && { ...endingWith(last), occurredBefore: since, more: false };
};

/** Finds each piece after the one before it is purged. */
export async function* oldestPieces<Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  since: Date,
  rowsOf: Weigh<Event> = () => 1,
): AsyncGenerator<Piece> {
  let piece: OldestPiece | undefined;
  do {
    piece = await oldestPiece(store, stream, since, rowsOf);
    if (piece !== undefined) yield piece;
  } while (piece?.more === true);
}

/** Purges what is past its limit of a stream that grows for ever. */
export const purgeByAge = async (store: EventStore, round: PurgeRound, ageing: AgeingStream): Promise<void> => {
  for await (const piece of oldestPieces(store, ageing.stream, round.keptSince(ageing.stream)))
    await round.purge(ageing, piece);
};

export const lastOf = async (store: EventStore, stream: string): Promise<StoredEvent | undefined> => {
  const [last] = await store.read(stream, { direction: 'backwards', maxCount: 1 });
  return last;
};

/** Purges a stream whole, up to its present last event. Nothing is appended to it any more. */
export const purgeWhole = async (
  store: EventStore,
  round: PurgeRound,
  ageing: AgeingStream,
  occurredBefore: Date,
): Promise<void> => {
  const last = await lastOf(store, ageing.stream);
  if (last !== undefined) await round.purge(ageing, { ...endingWith(last), occurredBefore });
};

interface Found<Row> {
  /** A page of what is past its limit, behind `last`. */
  readonly find: (last: Row | undefined, limit: number) => Promise<readonly Row[]>;
  readonly streamOf: (row: Row) => string;
}

/** Purges each of the streams that are found, whole. */
export const purgeEach = async <Row extends { readonly tenantId: string }>(
  store: EventStore,
  round: PurgeRound,
  before: Date,
  { find, streamOf }: Found<Row>,
): Promise<void> => {
  for await (const page of paginate(find)) {
    for (const row of page) await purgeWhole(store, round, { stream: streamOf(row), owner: row.tenantId }, before);
  }
};
