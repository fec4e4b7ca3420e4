import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type TenantId } from '../../kernel/ids.js';

/** Beyond it, the tenant whose last write or read is oldest reads rows that may lag a second behind. */
const MAX_TENANTS = 20_000;

/** Keeps the log position of this instance's last write for each tenant, so that callers can read their own writes. */
@Injectable()
export class WritePositions {
  private readonly positions = new LRUCache<TenantId, bigint>({ max: MAX_TENANTS });

  /** Commit position. Undefined if none is remembered. */
  lastPosition(tenantId: TenantId): bigint | undefined {
    return this.positions.get(tenantId);
  }

  /** Writes to two streams arrive in any order, so the highest position counts. */
  written(tenantId: TenantId, position: bigint): void {
    const before = this.positions.get(tenantId) ?? position;
    this.positions.set(tenantId, before > position ? before : position);
  }
}
