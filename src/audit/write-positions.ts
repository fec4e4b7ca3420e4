import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type TenantId } from '../kernel/ids.js';

/** Tenants whose last entry is remembered; the one that neither wrote nor read its entries for longest is forgotten first. */
const MAX_TENANTS = 10_000;

/** Where this instance's own last entry of each tenant stands in the log, so that a caller reads what it has caused. */
@Injectable()
export class WritePositions {
  private readonly positions = new LRUCache<TenantId, bigint>({ max: MAX_TENANTS });

  /** Commit position; undefined where this instance wrote none. */
  lastPosition(tenantId: TenantId): bigint | undefined {
    return this.positions.get(tenantId);
  }

  /** Entries of two streams come in any order: the last in the log counts. */
  written(tenantId: TenantId, position: bigint): void {
    const before = this.positions.get(tenantId) ?? position;
    this.positions.set(tenantId, before > position ? before : position);
  }
}
