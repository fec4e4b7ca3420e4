import { LRUCache } from 'lru-cache';
import { type Clock } from '../../kernel/clock.js';
import { type TenantId } from '../../kernel/ids.js';
import { BatchLoader } from '../../kernel/batch-loader.js';
import { type Queryable } from '../postgres/database.js';
import { type DataKeys } from './data-keys.js';
import { type DataKey, type TenantKeyPurpose } from './vault.js';

/**
 * Seals under one key by all instances together. One key allows 2^32 random 96-bit nonces (NIST SP 800-38D section 8.3). This
 * limit is a quarter of that. As many seals again may go uncounted, for example after a restore of a Postgres back-up.
 */
const MAX_SEALS = 2 ** 30;
/** Seals that a process takes of a key at a time. It loses its unused seals when it ends: a thousandth of the key. */
const SEALS_A_LEASE = 2 ** 20;
/** Number of tenants and purposes whose leases are remembered. A forgotten lease is replaced by a new one. */
const MAX_LEASES = 50_000;

/** Takes this number of seals of each key, if `most` allows it. Returns the ids of the keys that granted them. */
export type TakeSeals = (keyIds: readonly string[], seals: number, most: number) => Promise<ReadonlySet<string>>;

interface Wanted {
  readonly tenantId: TenantId;
  readonly purpose: TenantKeyPurpose;
  /** A UTC month; for stored responses a UTC day. */
  readonly period: string;
  /** Number of seals needed at once. */
  readonly seals: number;
}

interface Lease {
  readonly tenantId: TenantId;
  readonly subject: string;
  left: number;
}

interface Candidate {
  readonly id: string;
  readonly wanted: Wanted;
  /** From 1; numbers the keys of one purpose and period. */
  readonly number: number;
}

const periodOf = (purpose: TenantKeyPurpose, now: Date): string =>
  now.toISOString().slice(0, purpose === 'answers' ? 10 : 7);

const subjectOf = ({ purpose, period }: Wanted, number: number): string =>
  `/${purpose}/${period}${number === 1 ? '' : `/${number}`}`;

/**
 * The keys of tenants themselves. Each has one purpose, one UTC month (stored responses: one day) and a limited number of
 * seals. Every process takes its seals in leases, so that it need not ask for each seal.
 */
export class TenantKeys {
  private readonly held = new LRUCache<string, Lease>({ max: MAX_LEASES });
  private readonly leasing = new BatchLoader<Wanted, Lease>((wanted) => this.lease(wanted));

  constructor(
    private readonly keys: Pick<DataKeys, 'ofOwner'>,
    private readonly takeSeals: TakeSeals,
    private readonly clock: Clock,
    private readonly limits = { lease: SEALS_A_LEASE, most: MAX_SEALS },
  ) {}

  /** A key for this number of seals. Throws Unavailable. */
  async take(tenantId: TenantId, purpose: TenantKeyPurpose, seals = 1): Promise<DataKey> {
    const wanted = { tenantId, purpose, period: periodOf(purpose, this.clock.now()), seals };
    const id = `${tenantId}${subjectOf(wanted, 1)}`;
    const lease = this.unspent(id, seals) ?? (await this.leasing.get(id, wanted));
    lease.left -= seals;
    return this.keys.ofOwner(lease);
  }

  /** If a lease has too few seals left for a batch, the next lease follows. The rest is lost. */
  private unspent(id: string, seals: number): Lease | undefined {
    const lease = this.held.get(id);
    return lease !== undefined && lease.left >= seals ? lease : undefined;
  }

  /** Needs a few statements for any number of leases, as at the turn of a month. If a key is used up, the next one follows. */
  private async lease(wanted: ReadonlyMap<string, Wanted>): Promise<ReadonlyMap<string, Lease | Error>> {
    const leased = new Map<string, Lease | Error>();
    let candidates = [...wanted].map(([id, one]): Candidate => ({ id, wanted: one, number: 1 }));
    while (candidates.length > 0) {
      const usedUp = await this.leaseOrPass(candidates, leased);
      candidates = usedUp.map((candidate) => ({ ...candidate, number: candidate.number + 1 }));
    }
    return leased;
  }

  /** Leases from each candidate's key. Returns the candidates whose key is used up. */
  private async leaseOrPass(
    candidates: readonly Candidate[],
    leased: Map<string, Lease | Error>,
  ): Promise<Candidate[]> {
    const found = await Promise.all(candidates.map((candidate) => this.keyOf(candidate, leased)));
    const present = found.filter((one) => one !== undefined);
    const granted = await this.takeSeals(
      present.map(({ key }) => key.id),
      this.limits.lease,
      this.limits.most,
    );
    const usedUp: Candidate[] = [];
    for (const { candidate, key } of present) {
      if (granted.has(key.id)) leased.set(candidate.id, this.hold(candidate));
      else usedUp.push(candidate);
    }
    return usedUp;
  }

  private hold({ id, wanted, number }: Candidate): Lease {
    const lease = { tenantId: wanted.tenantId, subject: subjectOf(wanted, number), left: this.limits.lease };
    this.held.set(id, lease);
    return lease;
  }

  /** Undefined if there is nothing to lease: another call has just leased it, or the key is unavailable. */
  private async keyOf(candidate: Candidate, leased: Map<string, Lease | Error>) {
    const { id, wanted, number } = candidate;
    const present = this.unspent(id, wanted.seals);
    if (present !== undefined) {
      leased.set(id, present);
      return undefined;
    }
    try {
      const key = await this.keys.ofOwner({ tenantId: wanted.tenantId, subject: subjectOf(wanted, number) });
      return { candidate, key };
    } catch (error) {
      leased.set(id, error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }
}

/** Locks rows in the order of their ids. Instances that lease the same keys then wait in turn and do not deadlock. */
export const takeSealsIn =
  (database: Queryable): TakeSeals =>
  async (keyIds, seals, most) => {
    if (keyIds.length === 0) return new Set();
    const rows = await database.query<{ id: string }>(
      `WITH due AS (SELECT id FROM data_keys WHERE id = ANY($1::uuid[]) AND seals_leased + $2 <= $3 ORDER BY id FOR UPDATE)
       UPDATE data_keys SET seals_leased = seals_leased + $2 FROM due WHERE data_keys.id = due.id RETURNING data_keys.id`,
      [keyIds, seals, most],
      'data_keys_take_seals',
    );
    return new Set(rows.map(({ id }) => id));
  };

const MAX_AT_ONCE = 10_000;

/**
 * Destroys the keys of purged audit entries: those of months that ended at least a month before `keptSince`. From then on no
 * reader can open such an entry or a copy of it.
 */
export const destroyOldAuditKeys = async (database: Queryable, keptSince: Date, now: Date): Promise<void> => {
  const month = new Date(Date.UTC(keptSince.getUTCFullYear(), keptSince.getUTCMonth() - 1));
  const before = `/audit/${month.toISOString().slice(0, 7)}`;
  for (;;) {
    const rows = await database.query(
      `WITH gone AS (DELETE FROM data_keys WHERE id IN
         (SELECT id FROM data_keys WHERE subject LIKE '/audit/%' AND subject COLLATE "C" < $1 LIMIT $3) RETURNING id)
       INSERT INTO destroyed_data_keys (id, destroyed_at) SELECT id, $2 FROM gone ON CONFLICT (id) DO NOTHING RETURNING 1`,
      [before, now, MAX_AT_ONCE],
    );
    if (rows.length < MAX_AT_ONCE) return;
  }
};
