import { Inject, Injectable } from '@nestjs/common';
import { type AuditAction } from '../kernel/contract.js';
import { type AccessRecord, type AuditEntry, AuditTrail } from '../kernel/access.js';
import { auditedChange } from '../kernel/audited-change.js';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata } from '../kernel/events.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { CLOCK } from '../platform/tokens.js';

const ENTRY_NAMESPACE = '3c0f1b0a-56cf-4d52-9a5e-8d6b3c1e9f24';

export interface ClaimAccess {
  readonly tenantId: TenantId;
  readonly action: AuditAction;
  readonly claimId: string;
  readonly identityHash: string;
  /** What the entry records. The same cause leaves one entry. */
  readonly cause: string;
}

/** The metadata of events that follow from a claim and not from the tenant's own request. */
export const followingClaim = (claimId: string, causationId?: string): CommandMetadata => ({
  requestId: claimId,
  ...(causationId === undefined ? {} : { causationId }),
  actor: { type: 'system', id: 'claims' },
});

const toEntry = ({ tenantId, action, cause, identityHash }: ClaimAccess, access: AccessRecord): AuditEntry => {
  const entryId = deriveUuid(ENTRY_NAMESPACE, `${tenantId} ${action} ${cause}`);
  return { entryId, tenantId, action, result: 'ok', identityHash, access };
};

/** Writes the audit entries of both sides of a claim. */
@Injectable()
export class ClaimAudit {
  constructor(
    private readonly trail: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** For the tenant's own request. */
  record(entry: ClaimAccess, access: AccessRecord): Promise<void> {
    return this.trail.record(toEntry(entry, access));
  }

  /** The entry of the tenant's own request precedes what it changes. */
  change<Result>(
    entry: ClaimAccess,
    access: AccessRecord,
    change: (beforehand: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    return auditedChange(this.trail, (record) => change(() => record(toEntry(entry, access))));
  }

  /**
   * For the tenant that learns of it, or by time. The other side's address, agent and request id are not this tenant's to
   * know; the claim's id takes the place of the request's.
   */
  recordForOtherSide(entry: ClaimAccess): Promise<void> {
    const startedAt = this.clock.monotonic();
    return this.record(entry, { requestId: entry.claimId, ipAddress: '', userAgent: '', actorId: 'system', startedAt });
  }
}
