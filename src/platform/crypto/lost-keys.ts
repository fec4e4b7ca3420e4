import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type StoredEvent, tenantOfStream } from '../../kernel/events.js';
import { type EventStore } from '../eventstore/event-store.js';
import { type Database } from '../postgres/database.js';
import { DataKeyMissing } from './data-keys.js';
import { ERASED, type Vault } from './vault.js';

/** A data key that the log names in this stream and that Postgres does not hold, although no one destroyed it. */
export interface LostKey {
  readonly id: string;
  readonly stream: string;
}

export interface GivenUpKey extends LostKey {
  readonly givenUpAt: Date;
}

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'alg' in value && 'key' in value && 'ct' in value;

/** Events that are looked at before a word on how far the search is. */
const REPORT_INTERVAL_MS = 10_000;

/** Finds the data keys that were lost with an earlier state of Postgres. */
export class LostKeys {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly categories: CategoryRegistry,
    private readonly vault: Pick<Vault, 'open'>,
  ) {}

  /** Notes the lost keys of all events after this position. Throws Unavailable. */
  async search(
    after: bigint | undefined,
    signal: AbortSignal,
    onProgress: (events: number, position: bigint) => void = () => undefined,
  ): Promise<void> {
    await this.forgetFound();
    const wanted = { after, streamPrefixes: this.categories.personalPrefixes, signal };
    let events = 0;
    for await (const found of this.store.readAll(wanted)) {
      await this.note(found);
      const before = events;
      events += found.length;
      const last = found.at(-1);
      if (last !== undefined && Math.floor(events / REPORT_INTERVAL_MS) > Math.floor(before / REPORT_INTERVAL_MS))
        onProgress(events, last.position);
    }
  }

  /** Those that no operator has given up yet, in the order of their streams. */
  waiting(): Promise<readonly LostKey[]> {
    return this.database.query<LostKey>(
      'SELECT id, stream FROM lost_data_keys WHERE given_up_at IS NULL ORDER BY stream, id',
    );
  }

  async count(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      'SELECT count(DISTINCT id)::int AS count FROM lost_data_keys WHERE given_up_at IS NULL',
    );
    return row?.count ?? 0;
  }

  /** From now on they count as destroyed, so what is sealed under them reads as erased. Returns how many there were. */
  async giveUp(now: Date): Promise<number> {
    await this.forgetFound();
    return this.database.transaction(async (transaction) => {
      const lost = await transaction.query<{ id: string }>(
        'UPDATE lost_data_keys SET given_up_at = $1 WHERE given_up_at IS NULL RETURNING id',
        [now],
      );
      const ids = [...new Set(lost.map(({ id }) => id))];
      await transaction.query(
        `INSERT INTO destroyed_data_keys (id, destroyed_at) SELECT id, $2 FROM unnest($1::uuid[]) AS id
         ON CONFLICT (id) DO NOTHING`,
        [ids, now],
      );
      return ids.length;
    });
  }

  /** Given up, and nothing has followed from it yet. */
  givenUp(limit: number, offset: number): Promise<readonly GivenUpKey[]> {
    return this.database.query(
      `SELECT id, stream, given_up_at AS "givenUpAt" FROM lost_data_keys
       WHERE given_up_at IS NOT NULL ORDER BY given_up_at, stream, id LIMIT $1 OFFSET $2`,
      [limit, offset],
    );
  }

  /** Whether the owner has a key: a new one, made since. */
  async isReplaced(tenantId: string, subject: string): Promise<boolean> {
    const found = await this.database.query('SELECT FROM data_keys WHERE tenant_id = $1 AND subject = $2', [
      tenantId,
      subject,
    ]);
    return found.length > 0;
  }

  async settled({ id, stream }: LostKey): Promise<void> {
    await this.database.query('DELETE FROM lost_data_keys WHERE id = $1 AND stream = $2', [id, stream]);
  }

  /** Of a later restore that brought them back. */
  private async forgetFound(): Promise<void> {
    await this.database.query(
      `DELETE FROM lost_data_keys lost WHERE given_up_at IS NULL AND (
         EXISTS (SELECT FROM data_keys present WHERE present.id = lost.id)
         OR EXISTS (SELECT FROM destroyed_data_keys destroyed WHERE destroyed.id = lost.id))`,
    );
  }

  /** The keys of its sealed fields. A charge's record may hold what is sealed once more, under the key of a decision. */
  private async keysOf(event: StoredEvent): Promise<readonly string[]> {
    const fields = this.categories.sealedFields(event);
    const within = await Promise.all(
      fields
        .filter(({ path }) => path === 'record')
        .map(({ path, envelope }) => this.keysWithin(event, path, envelope)),
    );
    return [...fields.map(({ envelope }) => envelope.key), ...within.flat()];
  }

  private async keysWithin({ stream, id }: StoredEvent, field: string, envelope: Envelope): Promise<readonly string[]> {
    const place = { tenantId: tenantOfStream(stream), stream, eventId: id, field };
    const opened = await this.vault.open(place, envelope).catch((error: unknown) => {
      if (error instanceof DataKeyMissing) return ERASED;
      throw error;
    });
    if (opened === ERASED) return [];
    return Object.values(opened as object)
      .filter(isEnvelope)
      .map(({ key }) => key);
  }

  private async note(events: readonly StoredEvent[]): Promise<void> {
    const named = new Map<string, LostKey>();
    for (const event of events) {
      const { stream } = event;
      for (const id of await this.keysOf(event)) named.set(`${id} ${stream}`, { id, stream });
    }
    if (named.size === 0) return;
    const keys = [...named.values()];
    await this.database.query(
      `INSERT INTO lost_data_keys (id, stream, found_at)
       SELECT named.id, named.stream, now() FROM unnest($1::uuid[], $2::text[]) AS named (id, stream)
       WHERE NOT EXISTS (SELECT FROM data_keys present WHERE present.id = named.id)
         AND NOT EXISTS (SELECT FROM destroyed_data_keys destroyed WHERE destroyed.id = named.id)
       ON CONFLICT (id, stream) DO NOTHING`,
      [keys.map(({ id }) => id), keys.map(({ stream }) => stream)],
    );
  }
}
