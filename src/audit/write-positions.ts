import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type TenantId } from '../kernel/ids.js';

/**
 * Most tenants whose last entry is remembered. A new one evicts the tenant with the oldest write or read of its
 * entries.
 */
const MAX_TENANTS = 10_000;

/** Keeps the log position of this instance's last entry for each tenant. So callers can read their own entries. */
@Injectable()
export class WritePositions {
  private readonly positions = new LRUCache<TenantId, bigint>({ max: MAX_TENANTS });

  /** Commit position. Undefined if this instance wrote none. */
  lastPosition(tenantId: TenantId): bigint | undefined {
    return this.positions.get(tenantId);
  }

  /** Entries of two streams arrive in any order, so the highest position counts. */
  written(tenantId: TenantId, position: bigint): void {
    const before = this.positions.get(tenantId) ?? position;
    this.positions.set(tenantId, before > position ? before : position);
  }
}
