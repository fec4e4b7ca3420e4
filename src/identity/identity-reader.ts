import { Inject, Injectable } from '@nestjs/common';
import { type AccessRecord, AuditTrail } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { type Recorded } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { type KycStatus } from '../kernel/kyc.js';
import { ERASED, KeyedHashes, Vault } from '../platform/crypto/vault.js';
import { CLOCK } from '../platform/tokens.js';
import { type PersonalData } from './commands.js';
import {
  type AttestedRecord,
  type IdentityEvent,
  type IdentityIngested,
  type IdentityUpdated,
  PERSONAL_FIELD,
} from './domain/identity.events.js';
import { type Identity, isPastGrace } from './domain/identity.js';
import { IdentityRepository } from './identity-repository.js';

/** A tenant's own record, decrypted. */
export interface OpenedIdentity {
  readonly identity: Identity;
  readonly record: AttestedRecord;
  readonly personal: PersonalData;
  /** EXPIRED from kyc_expires_at on, to the second, even before the event of the expiry. */
  readonly kycStatus: KycStatus;
}

const holdsRecord = (event: Recorded<IdentityEvent>): event is Recorded<IdentityIngested | IdentityUpdated> =>
  event.type === 'IdentityIngested.v1' || event.type === 'IdentityUpdated.v1';

/** Whether its account still has it. */
export const isPresent = (identity: Identity, now: Date): boolean =>
  identity.phase === 'active' || (identity.phase === 'deleted' && !isPastGrace(identity, now));

/** Reads a tenant's own identities from their streams. Each read is an access and is audited before the response. */
@Injectable()
export class IdentityReader {
  constructor(
    private readonly ledger: IdentityRepository,
    private readonly vault: Vault,
    private readonly hashes: KeyedHashes,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Undefined if the tenant has no such identity, or its erasure is due or decided. */
  async read(tenantId: TenantId, identityId: string, access: AccessRecord): Promise<OpenedIdentity | undefined> {
    const loaded = await this.ledger.load(tenantId, identityId);
    const { identity } = loaded.state;
    if (!isPresent(identity, this.clock.now())) return undefined;
    const latest = await this.ledger.notable(loaded, 'record');
    invariant(latest !== undefined && holdsRecord(latest), 'whoever is present has a record');
    const { data: record } = latest;
    const place = { tenantId, stream: latest.stream, eventId: latest.id, field: PERSONAL_FIELD };
    const personal = (await this.vault.open(place, record.personal)) as PersonalData | typeof ERASED;
    if (personal === ERASED) return undefined;
    const { identityHash } = identity;
    await this.audit.record({
      entryId: newUuid(),
      tenantId,
      action: 'identity_read',
      result: 'ok',
      identityHash,
      access,
    });
    return { identity, record, personal, kycStatus: this.statusNow(identity) };
  }

  /** What waits for a second person, of an identity that is there. */
  async erasureProposal(
    tenantId: TenantId,
    identityId: string,
  ): Promise<NonNullable<Identity['erasureProposal']> | undefined> {
    const { identity } = (await this.ledger.load(tenantId, identityId)).state;
    return isPresent(identity, this.clock.now()) ? (identity.erasureProposal ?? undefined) : undefined;
  }

  /** The identity with this e-mail and phone. */
  async lookUp(
    tenantId: TenantId,
    person: { readonly email: string; readonly phone: string },
    access: AccessRecord,
  ): Promise<{ readonly identityId: string; readonly identity: Identity } | undefined> {
    const identityId = this.hashes.identityId(tenantId, person.email, person.phone);
    const { identity } = (await this.ledger.load(tenantId, identityId)).state;
    const found = isPresent(identity, this.clock.now());
    await this.audit.record({
      entryId: newUuid(),
      tenantId,
      action: 'identity_read',
      result: found ? 'found' : 'not_found',
      identityHash: this.hashes.identityHash(person.email, person.phone),
      access,
    });
    return found ? { identityId, identity } : undefined;
  }

  private statusNow({ kycStatus, kycExpiresAt }: Identity): KycStatus {
    const expired = kycStatus === 'APPROVED' && kycExpiresAt !== null && this.clock.now().toISOString() >= kycExpiresAt;
    return expired ? 'EXPIRED' : (kycStatus ?? 'EXPIRED');
  }
}
