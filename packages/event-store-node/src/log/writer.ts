import { randomUUID } from 'node:crypto';
import { AppendSize } from './append-size.js';
import { decide, decideCompared, type Comparison, type Decision, type StreamState } from './decide.js';
import { Draft, type Numbers } from './draft.js';
import { type Head, type Heads, type HeadState } from './heads.js';
import { type Owner } from './owner.js';
import { type RecentEvent, type RecentEvents } from './recent-events.js';
import { type ProposedEvent } from './record.js';
import { type Outcome, type WriteRequest } from './requests.js';
import { TOMBSTONED } from './revision.js';
import {
  isMetastream,
  isSoftDeleted,
  METADATA_TYPE,
  metastreamOf,
  originalStreamOf,
  softDeletedJson,
  TOMBSTONE_TYPE,
  undeletedJson,
} from './stream-metadata.js';
import { type Tail } from './tail.js';

const MAX_GROUP_BYTES = 4 * 1024 * 1024;
const MAX_GROUP_REQUESTS = 4_096;

/** Reads the stored events of a stream that are older than the recent ones. `find` looks through the recent events. */
export interface History {
  compare(
    streamId: number,
    afterRevision: number,
    eventIds: readonly string[],
    find: (eventId: string) => RecentEvent | undefined,
  ): Promise<Comparison>;
  /** Says whether readers of the stream still see an event of this revision. */
  readable(stream: string, revision: number): Promise<boolean>;
}

/** The operations that the writer needs of the log's owner. */
export type Committer = Pick<Owner, 'commit' | 'abandon'>;

interface Pending {
  readonly request: WriteRequest;
  /** The stream itself. `companion` is its metadata stream, or the stream that a metadata stream describes. */
  readonly head: Head;
  readonly companion: Head;
  readonly bytes: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** The log cannot be written at the moment. */
export class NotWritable extends Error {
  override readonly name = 'NotWritable';
}

/** SQLSTATE 53100. */
const isDiskFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '53100';

/**
 * The single writer. Requests of all streams that arrive during a commit wait and go together into the next one. A group costs
 * one fsync, and positions are committed in the order of their assignment.
 */
export class Writer {
  private queue: Pending[] = [];
  private working: Promise<void> | undefined;
  private finishing: Promise<void> | undefined;
  private owner: Committer | undefined;
  private numbers: Numbers = { position: 1, streamId: 1 };

  constructor(
    private readonly heads: Heads,
    private readonly tail: Tail,
    private readonly recent: RecentEvents,
    private readonly history: History,
  ) {}

  start(owner: Committer, numbers: Numbers): void {
    this.owner = owner;
    this.numbers = numbers;
  }

  /** Refuses all waiting and new requests until it is started again. */
  stop(error: Error): void {
    this.owner = undefined;
    const waiting = this.queue;
    this.queue = [];
    for (const pending of waiting) this.settle(pending, error);
  }

  /**
   * Takes no more requests and resolves when all taken ones are settled. Requests that arrive meanwhile are refused after that.
   */
  finish(): Promise<void> {
    return (this.finishing ??= this.idle());
  }

  submit(request: WriteRequest): Promise<Outcome> {
    const refusal = () => Promise.reject(new NotWritable('the event store is stopping'));
    if (this.finishing !== undefined) return this.finishing.then(refusal);
    if (this.owner === undefined) return Promise.reject(new NotWritable('the log cannot be written at the moment'));
    const size = new AppendSize(request.stream);
    if (request.kind === 'append') request.events.forEach((event) => size.add(event));
    if (size.exceeded) return Promise.resolve({ kind: 'too-large' });
    return new Promise((resolve, reject) => {
      const head = this.heads.get(request.stream);
      const companion = this.heads.get(companionOf(request));
      head.pins += 1;
      companion.pins += 1;
      this.queue.push({ request, head, companion, bytes: size.stored, resolve, reject });
      this.working ??= this.work();
    });
  }

  private async idle(): Promise<void> {
    while (this.working !== undefined) await this.working;
  }

  private async work(): Promise<void> {
    // Requests that arrive in the same turn join the first group.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    while (this.queue.length > 0) {
      const group = this.take();
      try {
        await this.commit(group);
      } catch (error) {
        for (const pending of group) this.settle(pending, asError(error));
      }
    }
    this.working = undefined;
  }

  private take(): Pending[] {
    let bytes = 0;
    let count = 0;
    for (const pending of this.queue) {
      bytes += pending.bytes;
      if (count > 0 && (bytes > MAX_GROUP_BYTES || count >= MAX_GROUP_REQUESTS)) break;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  private async commit(group: readonly Pending[]): Promise<void> {
    const owner = this.owner;
    for (const { head, companion } of group) {
      if (head.loading !== undefined) await head.loading.catch(() => undefined);
      if (companion.loading !== undefined) await companion.loading.catch(() => undefined);
    }
    if (owner === undefined || owner !== this.owner) throw lostMeanwhile();
    const draft = new Draft(this.numbers, this.recent, Date.now());
    const outcomes: (Outcome | Error)[] = [];
    for (const pending of group) outcomes.push(await this.decideInto(draft, pending));
    if (draft.writes.length > 0) await this.write(owner, draft);
    group.forEach((pending, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined) this.settle(pending, outcome);
    });
  }

  private async write(owner: Committer, draft: Draft): Promise<void> {
    try {
      await owner.commit(draft.writes, draft.newStreams);
    } catch (error) {
      // Postgres took nothing of it, and goes on once there is room.
      if (isDiskFull(error)) throw new NotWritable('the disk of the event store is full');
      // The outcome of the commit is unknown. The writer decides nothing more before the log has been read again.
      if (this.owner === owner) this.owner = undefined;
      owner.abandon();
      throw error;
    }
    if (this.owner !== owner) throw lostMeanwhile();
    draft.committed();
    this.numbers = draft.numbers;
    this.tail.publish(draft.writes);
  }

  /** A request fails alone where its stream cannot be read at the moment. It leaves nothing in the draft. */
  private async decideInto(draft: Draft, pending: Pending): Promise<Outcome | Error> {
    let answer: Outcome | undefined;
    try {
      answer = await this.answer(draft, pending);
    } catch (error) {
      return asError(error);
    }
    return answer ?? this.apply(draft, pending);
  }

  /** The response to a request that writes nothing. Undefined for a request that must be written. */
  private async answer(draft: Draft, pending: Pending): Promise<Outcome | undefined> {
    const { request, head, companion } = pending;
    if (head.loading !== undefined) await head.loading;
    if (companion.loading !== undefined) await companion.loading;
    if (request.kind === 'append' && request.deadline <= Date.now()) return { kind: 'deadline-exceeded' };
    const state = stateOf(draft, pending);
    // A soft deletion writes to the stream's metadata. A tombstoned metadata stream takes no more events.
    if (request.kind === 'soft-delete' && draft.state(companion).revision === TOMBSTONED)
      return { kind: 'stream-deleted' };
    const eventIds = request.kind === 'append' ? request.events.map(({ id }) => id) : [randomUUID()];
    const find = (eventId: string) => draft.find(head, eventId);
    const streamId = draft.state(head).id ?? 0;
    let decision: Decision = decide(request.expected, eventIds, state, find);
    if (decision.kind === 'compare') {
      const comparison = await this.history.compare(streamId, request.expected, eventIds, find);
      decision = decideCompared(request.expected, eventIds, state, comparison);
    }
    if (decision.kind === 'answer') return decision.outcome;
    if (decision.kind === 'repeated') return this.repeated(head.name, decision);
    return undefined;
  }

  /** Like EventStoreDB, gives the position of a repetition only while its last event can be read. */
  private async repeated(stream: string, { revision, position }: RecentEvent): Promise<Outcome> {
    const readable = await this.history.readable(stream, revision);
    return { kind: 'written', revision, position: readable ? position : undefined };
  }

  private apply(draft: Draft, pending: Pending): Outcome {
    const { request, head, companion } = pending;
    const state = stateOf(draft, pending);
    if (request.kind === 'tombstone') {
      const position = draft.tombstone(head, serverEvent(TOMBSTONE_TYPE, Buffer.alloc(0), false));
      return { kind: 'written', revision: TOMBSTONED, position };
    }
    if (request.kind === 'soft-delete') {
      if (!state.exists) return { kind: 'wrong-expected-revision', actual: state.revision };
      const position = draft.append(companion, [serverEvent(METADATA_TYPE, softDeletedJson())]);
      return { kind: 'written', revision: state.revision, position };
    }
    if (request.events.length === 0) {
      return { kind: 'written', revision: state.revision, position: draft.numbers.position - 1 };
    }
    return this.append(draft, pending, request.events, state);
  }

  private append(
    draft: Draft,
    { head, companion }: Pending,
    events: readonly ProposedEvent[],
    state: StreamState,
  ): Outcome {
    const revivesOriginal = isMetastream(head.name) && isSoftDeleted(draft.state(head).metadata);
    const position = draft.append(head, events);
    if (state.softDeleted) draft.append(companion, [undeletion(draft.state(companion), state.revision + 1)]);
    if (revivesOriginal) draft.append(head, [undeletion(draft.state(head), draft.state(companion).revision + 1)]);
    return { kind: 'written', revision: state.revision + events.length, position };
  }

  private settle(pending: Pending, result: Outcome | Error): void {
    pending.head.pins -= 1;
    pending.companion.pins -= 1;
    if (result instanceof Error) pending.reject(result);
    else pending.resolve(result);
  }
}

/** Names the other stream whose state a write to this stream depends on. */
function companionOf({ kind, stream }: WriteRequest): string {
  return isMetastream(stream) && kind !== 'soft-delete' ? originalStreamOf(stream) : metastreamOf(stream);
}

function stateOf(draft: Draft, { head, companion }: Pending): StreamState {
  const { revision } = draft.state(head);
  const other = draft.state(companion);
  if (isMetastream(head.name)) {
    return {
      revision: other.revision === TOMBSTONED ? TOMBSTONED : revision,
      exists: revision >= 0,
      softDeleted: false,
    };
  }
  return { revision, exists: revision >= 0 || other.revision >= 0, softDeleted: isSoftDeleted(other.metadata) };
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

const lostMeanwhile = () => new NotWritable('the log was lost while the write waited');

const undeletion = ({ metadata }: HeadState, firstRevision: number) =>
  serverEvent(METADATA_TYPE, undeletedJson(metadata, firstRevision));

function serverEvent(type: string, data: Buffer, isJson = true): ProposedEvent {
  return { id: randomUUID(), type, isJson, data, metadata: Buffer.alloc(0) };
}
