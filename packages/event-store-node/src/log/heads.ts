import { type Readers } from '../postgres/readers.js';
import { type Row } from '../postgres/session.js';
import { decodeRecord, frameSpans } from './record.js';
import { revisionFromSql } from './revision.js';
import { isMetastream, parseMetadata, type StreamMetadata } from './stream-metadata.js';

export interface HeadState {
  /** Undefined until the stream's first event. */
  readonly id: number | undefined;
  /** Revision of the last event. -1 without events. */
  readonly revision: number;
  /** Set for metadata streams only: the content of the last event. */
  readonly metadata: StreamMetadata | undefined;
}

/** The committed end of one stream. Readers may see it. */
export interface Head {
  readonly name: string;
  committed: HeadState;
  /** Number of requests that rely on this head. It stays in memory while there are any. */
  pins: number;
  /** Settles when the state above is known. Undefined from then on. */
  loading: Promise<void> | undefined;
}

const EMPTY: HeadState = { id: undefined, revision: -1, metadata: undefined };

const LOAD = {
  name: 'load-heads',
  text: `SELECT wanted.name, s.id, last.revision, CASE WHEN starts_with(wanted.name, '$$') THEN last.frames END
    FROM unnest($1::text[]) AS wanted (name)
    JOIN event_store.streams s ON s.name = wanted.name
    LEFT JOIN LATERAL (
      SELECT revision, frames FROM event_store.writes w WHERE w.stream = s.id ORDER BY revision DESC LIMIT 1
    ) last ON true`,
};

/** The ends of the streams in use. Missing ones are loaded together. Some are forgotten when there are too many. */
export class Heads {
  private heads = new Map<string, Head>();
  private missing: Head[] = [];
  private loadingMissing: Promise<void> | undefined;
  /** Settles when the running load is over. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly readers: Pick<Readers, 'query'>,
    private readonly capacity = 20_000,
  ) {}

  get(name: string): Head {
    const known = this.heads.get(name);
    if (known !== undefined) {
      this.heads.delete(name);
      this.heads.set(name, known);
      return known;
    }
    const head: Head = { name, committed: EMPTY, pins: 0, loading: undefined };
    this.heads.set(name, head);
    this.missing.push(head);
    head.loading = this.loadingMissing ??= this.loadInTurn();
    // The callers that need the head await the load and see its failure.
    head.loading.catch(() => undefined);
    this.forgetSome();
    return head;
  }

  async loaded(name: string): Promise<Head> {
    const head = this.get(name);
    if (head.loading !== undefined) await head.loading;
    return head;
  }

  /** After a lost connection, the committed state is unknown. */
  clear(): void {
    this.heads = new Map();
  }

  /** Runs one load at a time. Heads that are missed meanwhile go together into the next load. */
  private loadInTurn(): Promise<void> {
    const load = this.turn.then(() => this.load());
    this.turn = load.catch(() => undefined);
    return load;
  }

  private async load(): Promise<void> {
    const wanted = this.missing;
    this.missing = [];
    this.loadingMissing = undefined;
    try {
      const rows = await this.readers.query(LOAD, [wanted.map((head) => head.name)]);
      const byName = new Map(rows.map((row) => [row[0], row]));
      for (const head of wanted) {
        const row = byName.get(head.name);
        if (row !== undefined) fill(head, row);
        head.loading = undefined;
      }
    } catch (error) {
      for (const head of wanted) if (this.heads.get(head.name) === head) this.heads.delete(head.name);
      throw error;
    }
  }

  private forgetSome(): void {
    let excess = this.heads.size - this.capacity;
    for (const [name, head] of this.heads) {
      if (excess-- <= 0) return;
      if (head.pins === 0 && head.loading === undefined) this.heads.delete(name);
    }
  }
}

function fill(head: Head, row: Row): void {
  const [, id, revision = null, frames = null] = row;
  head.committed = {
    id: Number(id),
    revision: revision === null ? -1 : revisionFromSql(revision),
    metadata: frames !== null && isMetastream(head.name) ? metadataIn(bytea(frames)) : undefined,
  };
}

/** The metadata set by the last of these frames. */
export function metadataIn(frames: Buffer): StreamMetadata | undefined {
  const last = [...frameSpans(frames)].at(-1);
  return last === undefined ? undefined : parseMetadata(decodeRecord(frames, last).data);
}

/** Postgres sends bytea as \\x and hexadecimal digits. */
export const bytea = (text: string) => Buffer.from(text.slice(2), 'hex');
