/** EventStoreDB as a plain in-memory model: the rules that a client can see, without storage, time or concurrency. */

export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

interface ModelEvent {
  readonly id: string;
  readonly revision: number;
  readonly position: number;
}

interface ModelStream {
  events: ModelEvent[];
  tombstoned: boolean;
  metadata: { maxCount?: number; truncateBefore?: number } | undefined;
  /** Any write has set the stream's metadata. */
  described: boolean;
  softDeleted: boolean;
}

export type Answer = { readonly next: number } | { readonly refused: 'conflict' | 'deleted' | 'missing' };

export class Model {
  private readonly streams = new Map<string, ModelStream>();
  private position = 0;
  /** Every event ever written to ordinary streams, in order. */
  readonly log: { readonly stream: string; readonly id: string }[] = [];

  append(name: string, ids: readonly string[], expected: Expected): Answer {
    const stream = this.stream(name);
    if (stream.tombstoned) return { refused: 'deleted' };
    const last = stream.events.length - 1;
    if (expected === 'stream_exists') {
      if (stream.softDeleted) return { refused: 'deleted' };
      if (last < 0 && !stream.described) return { refused: 'conflict' };
    }
    if (expected === 'any' || expected === 'stream_exists') return this.appendUnversioned(name, stream, ids);
    const revision = expected === 'no_stream' ? -1 : expected;
    if (revision > last) return { refused: 'conflict' };
    if (revision === last) return this.write(name, stream, ids);
    const repeated = ids.every((id, index) => stream.events[revision + 1 + index]?.id === id);
    if (repeated && ids.length > 0) return { next: revision + ids.length };
    const startsAnew = ids[0] !== undefined && stream.events[revision + 1]?.id !== ids[0];
    if (revision === -1 && stream.softDeleted && startsAnew) return this.write(name, stream, ids);
    return { refused: 'conflict' };
  }

  softDelete(name: string): Answer {
    const stream = this.stream(name);
    if (stream.tombstoned) return { refused: 'deleted' };
    if (stream.events.length === 0 && !stream.described) return { refused: 'conflict' };
    stream.softDeleted = true;
    stream.described = true;
    stream.metadata = undefined;
    return { next: stream.events.length - 1 };
  }

  tombstone(name: string): Answer {
    const stream = this.stream(name);
    if (stream.tombstoned) return { refused: 'deleted' };
    stream.tombstoned = true;
    return { next: 0 };
  }

  setMetadata(name: string, metadata: { maxCount?: number; truncateBefore?: number }): Answer {
    const stream = this.stream(name);
    if (stream.tombstoned) return { refused: 'deleted' };
    stream.metadata = stream.softDeleted ? { ...metadata, truncateBefore: stream.events.length } : metadata;
    stream.softDeleted = false;
    stream.described = true;
    return { next: 0 };
  }

  /** Ids that a read of the stream gives. */
  read(name: string, from: number, direction: 'forwards' | 'backwards', count: number): string[] | Answer {
    const stream = this.stream(name);
    if (stream.tombstoned) return { refused: 'deleted' };
    if (stream.events.length === 0 || stream.softDeleted) return { refused: 'missing' };
    const { maxCount = Number.POSITIVE_INFINITY, truncateBefore = 0 } = stream.metadata ?? {};
    const first = Math.max(truncateBefore, stream.events.length - maxCount);
    const readable = stream.events.filter(({ revision }) => revision >= first);
    const chosen =
      direction === 'forwards'
        ? readable.filter(({ revision }) => revision >= from)
        : readable.filter(({ revision }) => revision <= from).reverse();
    return chosen.slice(0, count).map(({ id }) => id);
  }

  private appendUnversioned(name: string, stream: ModelStream, ids: readonly string[]): Answer {
    const places = ids.map((id) => stream.events.findLast((event) => event.id === id)?.revision);
    if (ids.length === 0 || places[0] === undefined) return this.write(name, stream, ids);
    const last = places.at(-1);
    return places.includes(undefined) || last === undefined ? { refused: 'conflict' } : { next: last };
  }

  private write(name: string, stream: ModelStream, ids: readonly string[]): Answer {
    const first = stream.events.length;
    if (ids.length > 0 && stream.softDeleted) {
      stream.softDeleted = false;
      stream.metadata = { ...stream.metadata, truncateBefore: first };
    }
    for (const id of ids) {
      stream.events.push({ id, revision: stream.events.length, position: ++this.position });
      this.log.push({ stream: name, id });
    }
    return { next: stream.events.length - 1 };
  }

  private stream(name: string): ModelStream {
    const known = this.streams.get(name);
    if (known !== undefined) return known;
    const fresh = { events: [], tombstoned: false, metadata: undefined, described: false, softDeleted: false };
    this.streams.set(name, fresh);
    return fresh;
  }
}
