import { type LRUCache } from 'lru-cache';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { Periodic } from '../periodic/periodic.js';
import { type Database } from '../postgres/database.js';
import { ageingCache } from './ageing-cache.js';
import { FORGOTTEN_WITHIN } from './data-key-shredder.js';
import { type KeyOwner, type KeyRing } from './key-ring.js';
import { BatchLoader } from '../../kernel/batch-loader.js';
import { type DataKey, ERASED } from './vault.js';

/** The row of a data key is missing, although the key was never destroyed. Postgres and the log do not belong together. */
export class DataKeyMissing extends Error {
  override readonly name = 'DataKeyMissing';

  constructor(readonly id: string) {
    super(`data key ${id} is missing: Postgres is older than the event log, or its rows were lost`);
  }
}

/** A data key with its bytes, which are wiped soon after the key leaves the cache. */
export class HeldKey implements DataKey {
  private bytes: Buffer | undefined;

  constructor(
    readonly id: string,
    bytes: Buffer,
  ) {
    this.bytes = bytes;
  }

  material(): Buffer {
    if (this.bytes === undefined) throw new Error('a data key was used long after it was looked up');
    return this.bytes;
  }

  /** A key with its own copy of the bytes, which is wiped separately. */
  copy(): HeldKey {
    return new HeldKey(this.id, Buffer.from(this.material()));
  }

  wipe(): void {
    this.bytes?.fill(0);
    this.bytes = undefined;
  }
}

interface Row {
  readonly id: string;
  readonly tenant_id: string;
  readonly subject: string;
  readonly encryption_key_version: number;
  readonly wrapped: Buffer;
}

type Found = HeldKey | typeof ERASED | Error;
type Owner = Pick<KeyOwner, 'tenantId' | 'subject'>;

/**
 * Destroying a row only works if every instance forgets its key in time. A key stays in memory for at most its age, one
 * sweep interval and the delay before its wipe: 30 s, 5 s and 15 s. Their sum must stay below the limit of 60 s.
 */
const AGES = { greatest: 1 / 2, sweepEvery: 1 / 12, wipeDelay: 1 / 4 } as const;
const MAX_KEYS = 20_000;
/** Milliseconds between two looks for keys that were destroyed, and the seconds that a look goes back: rows are committed out of order. */
const DESTROYED_EVERY = 500;
const NOTED_WITHIN_S = 120;

const COLUMNS = 'id, tenant_id, subject, encryption_key_version, wrapped';

const ownerKey = ({ tenantId, subject }: Owner): string => `${tenantId}\0${subject}`;

/** The table of data keys behind a bounded cache. A new key is committed before a caller gets it. */
export class DataKeys {
  private readonly byOwner: LRUCache<string, HeldKey>;
  private readonly byId: LRUCache<string, HeldKey | typeof ERASED>;
  private readonly ownerLookup = new BatchLoader<Owner, HeldKey>((owners) => this.findOrCreate(owners));
  private readonly idLookup = new BatchLoader<string, HeldKey | typeof ERASED>((ids) => this.find(ids));
  /** Keys that were destroyed lately: a look-up under way must not put one back. */
  private destroyed: ReadonlySet<string> = new Set();
  private leaving: { readonly key: HeldKey; readonly since: number }[] = [];

  constructor(
    private readonly database: Database,
    private readonly ring: KeyRing,
    private readonly clock: Clock,
    private readonly forgottenWithin: number = FORGOTTEN_WITHIN,
  ) {
    const maxAge = AGES.greatest * forgottenWithin;
    this.byOwner = ageingCache(MAX_KEYS, maxAge, clock, (key) => this.leave(key));
    this.byId = ageingCache(MAX_KEYS, maxAge, clock, (key) => key !== ERASED && this.leave(key));
  }

  /** The key of an owner, created at first need. */
  async ofOwner(owner: Owner): Promise<HeldKey> {
    const id = ownerKey(owner);
    return this.byOwner.get(id) ?? (await this.ownerLookup.get(id, owner));
  }

  /**
   * The key with this id, or ERASED if it was destroyed. Throws DataKeyMissing if it is missing without having been destroyed.
   */
  async withId(id: string): Promise<HeldKey | typeof ERASED> {
    return this.byId.get(id) ?? (await this.idLookup.get(id, id));
  }

  /** Forgets the keys that any instance destroyed. Where Postgres is away, their age ends them. */
  @Periodic({ every: DESTROYED_EVERY })
  async forgetDestroyed(): Promise<void> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM destroyed_data_keys WHERE noted_at > clock_timestamp() - interval '${NOTED_WITHIN_S} seconds'`,
      [],
      'destroyed_data_keys_noted',
    );
    const before = this.destroyed;
    this.destroyed = new Set(rows.map(({ id }) => id));
    const fresh = rows.filter(({ id }) => !before.has(id));
    if (fresh.length === 0) return;
    for (const { id } of fresh) this.byId.set(id, ERASED);
    for (const [owner, key] of this.byOwner.entries()) if (this.destroyed.has(key.id)) this.byOwner.delete(owner);
  }

  /** Wipes the keys whose delay before the wipe has passed. */
  @Periodic({ every: ({ erasure }) => AGES.sweepEvery * erasure.keysForgotten })
  sweep(): void {
    this.byOwner.purgeStale();
    this.byId.purgeStale();
    const now = this.clock.monotonic();
    const wipeDelay = AGES.wipeDelay * this.forgottenWithin;
    for (const { key } of this.leaving.filter(({ since }) => now - since > wipeDelay)) key.wipe();
    this.leaving = this.leaving.filter(({ since }) => now - since <= wipeDelay);
  }

  private leave(key: HeldKey): void {
    this.leaving.push({ key, since: this.clock.monotonic() });
  }

  /** Returns an Error if this row's key does not open. The other rows of the look-up still succeed. */
  private hold(row: Row): HeldKey | Error {
    const owner = { id: row.id, tenantId: row.tenant_id, subject: row.subject };
    try {
      const bytes = this.ring.unwrap(owner, { version: row.encryption_key_version, wrapped: row.wrapped });
      return new HeldKey(row.id, bytes);
    } catch (error) {
      return new Unavailable('keys', { cause: error });
    }
  }

  private async find(ids: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Found>> {
    const wanted = [...ids.keys()];
    const rows = await this.database.query<Row>(`SELECT ${COLUMNS} FROM data_keys WHERE id = ANY($1::uuid[])`, [
      wanted,
    ]);
    const found = new Map<string, Found>(rows.map((row) => [row.id, this.hold(row)]));
    const absent = wanted.filter((id) => !found.has(id));
    for (const id of absent) found.set(id, new DataKeyMissing(id));
    for (const id of await this.destroyedAmong(absent)) found.set(id, ERASED);
    for (const id of found.keys()) if (this.destroyed.has(id)) found.set(id, ERASED);
    for (const [id, key] of found) if (!(key instanceof Error)) this.byId.set(id, key);
    return found;
  }

  private async destroyedAmong(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM destroyed_data_keys WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return rows.map((row) => row.id);
  }

  private async findOrCreate(owners: ReadonlyMap<string, Owner>): Promise<ReadonlyMap<string, HeldKey | Error>> {
    const found = await this.findOwned([...owners.values()]);
    const absent = new Map([...owners].filter(([id]) => !found.has(id)));
    const made = absent.size === 0 ? new Map<string, HeldKey>() : await this.create(absent);
    // Another instance has just created the keys of the other owners.
    const lost = [...absent].filter(([id]) => !made.has(id)).map(([, owner]) => owner);
    const theirs = lost.length === 0 ? new Map<string, HeldKey | Error>() : await this.findOwned(lost);
    for (const [id, key] of [...made, ...theirs]) found.set(id, key);
    for (const [owner, key] of found)
      if (!(key instanceof Error) && !this.destroyed.has(key.id)) this.remember(owner, key);
    return found;
  }

  /** Stores the key by its id too, since data is often opened soon after it is sealed. */
  private remember(owner: string, key: HeldKey): void {
    this.byOwner.set(owner, key);
    this.byId.set(key.id, key.copy());
  }

  private async findOwned(owners: readonly Owner[]): Promise<Map<string, HeldKey | Error>> {
    const rows = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM data_keys
       WHERE (tenant_id, subject) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
      [owners.map(({ tenantId }) => tenantId), owners.map(({ subject }) => subject)],
      'data_keys_of_owners',
    );
    return new Map(rows.map((row) => [ownerKey({ tenantId: row.tenant_id, subject: row.subject }), this.hold(row)]));
  }

  /** Creates keys and returns those that were committed, from memory. */
  private async create(owners: ReadonlyMap<string, Owner>): Promise<Map<string, HeldKey>> {
    // Every instance uses the same order. Instances may create the same keys at once, as at the turn of a month. They then wait
    // in turn and do not deadlock.
    const ordered = [...owners].sort(([one], [other]) => (one < other ? -1 : 1));
    const made = ordered.map(([ownedBy, { tenantId, subject }]) => {
      const identified = { id: newUuid(), tenantId, subject };
      return { ownedBy, ...identified, ...this.ring.generate(identified) };
    });
    const rows = await this.database.query<{ id: string }>(
      `INSERT INTO data_keys (${COLUMNS})
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::integer[], $5::bytea[])
       ON CONFLICT (tenant_id, subject) DO NOTHING RETURNING id`,
      [
        made.map(({ id }) => id),
        made.map(({ tenantId }) => tenantId),
        made.map(({ subject }) => subject),
        made.map(({ version }) => version),
        made.map(({ wrapped }) => wrapped),
      ],
    );
    const committed = new Set(rows.map(({ id }) => id));
    const held = made.map(({ ownedBy, id, bytes }) => [ownedBy, new HeldKey(id, bytes)] as const);
    for (const [, key] of held) if (!committed.has(key.id)) key.wipe();
    return new Map(held.filter(([, { id }]) => committed.has(id)));
  }
}
