import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { BatchLoader } from '../kernel/batch-loader.js';
import { Unavailable } from '../kernel/unavailable.js';

/** Keys whose owner is remembered; the one met longest ago is forgotten first. */
const MAX_KEYS = 100_000;
const CATCH_UP_BUDGET_MS = 1_000;
/** Between two questions to the index: a good key that is met for the first time waits no longer, and strangers' keys ask no oftener. */
const REST_MS = 20;

/**
 * Which account an API key's id belongs to. The index knows it of every key that was issued before this instance began to
 * listen, and the directory tells of every key since. Two accounts may share an id: whose secret it is decides.
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

  /** Of every key whose issue lies after this position `learn` is told from now on. */
  learnsAfter(position: bigint | undefined): void {
    this.listening = { after: position };
    this.indexCaughtUp = false;
  }

  /** The owners that are known without a look-up. */
  known(keyId: string): readonly TenantId[] {
    return this.owners.get(keyId) ?? [];
  }

  /** All owners. Throws Unavailable where that cannot be said. */
  async lookUp(keyId: string): Promise<readonly TenantId[]> {
    let found = await this.lookUps.get(keyId, keyId);
    if (found.length === 0 && !this.indexCaughtUp) {
      await this.waitForIndex();
      found = await this.lookUps.get(keyId, keyId);
    }
    for (const tenantId of found) this.learn(keyId, tenantId);
    return this.known(keyId);
  }

  /** Anybody can make up keys that have the right form, and all of them are asked for: together, and seldom. */
  private async ask(keyIds: readonly string[]): Promise<ReadonlyMap<string, readonly TenantId[]>> {
    await this.rested;
    try {
      return await this.index.accountsWithKeys(keyIds);
    } finally {
      this.rested = pause(REST_MS);
    }
  }

  /**
   * That the index lacks a key says nothing as long as it has not reached the beginning of listening, however long that takes:
   * a good key is never denied. A projection that has nothing to do moves to the log's head by itself.
   */
  private async waitForIndex(): Promise<void> {
    if (this.listening === undefined) throw new Unavailable('event_store');
    const { after } = this.listening;
    this.indexCaughtUp = after === undefined || (await this.index.reaches(after, CATCH_UP_BUDGET_MS));
    if (!this.indexCaughtUp) throw new Unavailable('postgres');
  }
}
