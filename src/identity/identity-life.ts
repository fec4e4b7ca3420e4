import { Inject, Injectable } from '@nestjs/common';
import { type AccessRecord, AuditTrail } from '../kernel/access.js';
import { actorOf } from '../kernel/audit-actors.js';
import { type Clock } from '../kernel/clock.js';
import { type Recorded } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type KycStatus, type Tier } from '../kernel/kyc.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { CLOCK } from '../platform/tokens.js';
import { type IdentityEvent, identityStream } from './domain/identity.events.js';
import { isPresent } from './identity-reader.js';
import { IdentityRepository } from './identity-repository.js';

/** What each event means to its account. */
export const LIFE_KINDS = {
  'IdentityIngested.v1': 'ingested',
  'IdentityUpdated.v1': 'updated',
  'IdentityVerified.v1': 'verified',
  'IdentityFlagged.v1': 'flagged',
  'IdentityExpiring.v1': 'expiring',
  'IdentityExpired.v1': 'expired',
  'IdentityDeleted.v1': 'deleted',
  'IdentityRestored.v1': 'restored',
  'ErasureProposed.v1': 'erasure_proposed',
  'ErasureRejected.v1': 'erasure_rejected',
  'IdentityErasureDecided.v1': 'erasing',
  'IdentityErased.v1': 'erased',
} as const satisfies Readonly<Record<IdentityEvent['type'], string>>;

export type LifeKind = (typeof LIFE_KINDS)[IdentityEvent['type']];

/** One event of an identity, without anything personal. */
export interface LifeStep {
  readonly kind: LifeKind;
  readonly at: string;
  /** The id of an API key or a member, or an unnamed actor. */
  readonly by: string;
  readonly requestId: string;
  readonly ingestionId: string | null;
  readonly kycStatus: KycStatus | null;
  readonly tier: Tier | null;
}

const stepOf = ({ type, data, metadata }: Recorded<IdentityEvent>): LifeStep => ({
  kind: LIFE_KINDS[type],
  at: metadata.time,
  by: actorOf(metadata.actor),
  requestId: metadata.$correlationId,
  ingestionId: 'ingestionId' in data ? data.ingestionId : null,
  kycStatus: 'kycStatus' in data ? data.kycStatus : null,
  tier: 'tier' in data ? data.tier : null,
});

/** What happened to an identity of a tenant. Each reading is an access and is audited before the response. */
@Injectable()
export class IdentityLife {
  constructor(
    private readonly ledger: IdentityRepository,
    private readonly store: EventStore,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Newest first, `most` at most, and nothing of a life that an erasure ended. Undefined where IdentityReader finds no identity.
   * Throws Unavailable.
   */
  async read(
    tenantId: TenantId,
    identityId: string,
    most: number,
    access: AccessRecord,
  ): Promise<readonly LifeStep[] | undefined> {
    const { identity } = (await this.ledger.load(tenantId, identityId)).state;
    if (!isPresent(identity, this.clock.now())) return undefined;
    const { identityHash } = identity;
    const entry = { tenantId, action: 'identity_life_read', result: 'ok', identityHash, access } as const;
    await this.audit.record({ entryId: newUuid(), ...entry });
    const stream = identityStream(tenantId, identityId);
    const events = await this.store.read(stream, { direction: 'backwards', maxCount: most });
    const end = events.findIndex(({ type }) => type === 'IdentityErased.v1');
    return (end === -1 ? events : events.slice(0, end)).map((event) => stepOf(event as Recorded<IdentityEvent>));
  }
}
