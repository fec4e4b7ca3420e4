import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { BatchLoader } from '../kernel/batch-loader.js';
import { Unavailable } from '../kernel/unavailable.js';

/** Most keys whose owners are kept in memory. A new one evicts the least recently used. */
const MAX_KEYS = 100_000;
const CATCH_UP_BUDGET_MS = 1_000;
/**
 * Pause between two queries to the index. It limits the load by unknown keys, and a new valid key waits no longer
 * than this.
 */
const REST_MS = 20;

/**
 * Finds the accounts that own an API key's id. The index knows the keys issued before the subscription began. The
 * directory reports every key issued since. Two accounts may share an id, and the secret says which one owns the
 * key.
 */
@Injectable()
export class ApiKeyOwners {
  private readonly owners = new LRUCache<string, readonly TenantId[]>({ max: MAX_KEYS });
  private listening: { readonly after: bigint | undefined } | undefined;
  private indexCaughtUp = false;
  private rested: Promise<unknown> = Promise.resolve();
  private readonly lookUps = new BatchLoader((keyIds: ReadonlyMap<string, string>) => this.ask([...keyIds.keys()]));

  constructor(private readonly index: AccountQueries) {}

  learn(keyId: string, tenantId: TenantId): void {
    const known = this.owners.get(keyId) ?? [];
    if (known.includes(tenantId)) return;
    this.owners.set(keyId, [...known, tenantId]);
  }

  /** From this position on, the directory reports every issued key to `learn`. */
  learnsAfter(position: bigint | undefined): void {
    this.listening = { after: position };
    this.indexCaughtUp = false;
  }

  /** The owners known without a query. */
  known(keyId: string): readonly TenantId[] {
    return this.owners.get(keyId) ?? [];
  }

  /** All owners. Throws Unavailable if they cannot be determined. */
  async lookUp(keyId: string): Promise<readonly TenantId[]> {
    let found = await this.lookUps.get(keyId, keyId);
    if (found.length === 0 && !this.indexCaughtUp) {
      await this.waitForIndex();
      found = await this.lookUps.get(keyId, keyId);
    }
    for (const tenantId of found) this.learn(keyId, tenantId);
    return this.known(keyId);
  }

  /** Anyone can invent well-formed keys, and each needs a query. So the queries are batched and spaced. */
  private async ask(keyIds: readonly string[]): Promise<ReadonlyMap<string, readonly TenantId[]>> {
    await this.rested;
    try {
      return await this.index.accountsWithKeys(keyIds);
    } finally {
      this.rested = pause(REST_MS);
    }
  }

  /**
   * Until the index reaches the subscription's first position, a key missing from it may still be valid. The request
   * then fails with Unavailable, since a valid key must never be denied. An idle projection moves to the log's head
   * by itself.
   */
  private async waitForIndex(): Promise<void> {
    if (this.listening === undefined) throw new Unavailable('event_store');
    const { after } = this.listening;
    this.indexCaughtUp = after === undefined || (await this.index.reaches(after, CATCH_UP_BUDGET_MS));
    if (!this.indexCaughtUp) throw new Unavailable('postgres');
  }
}
