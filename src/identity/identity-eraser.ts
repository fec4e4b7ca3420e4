import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AuditTrail } from '../kernel/access.js';
import { type Clock, CLOCK_SLACK_MS } from '../kernel/clock.js';
import { type Recorded } from '../kernel/events.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { DataKeyShredder, FORGOTTEN_WITHIN } from '../platform/crypto/data-key-shredder.js';
import { BACKUP_DAYS } from '../platform/postgres/backups.js';
import { ErasureSteps } from '../contract/erasure/erasure-steps.js';
import { CLOCK } from '../platform/tokens.js';
import { type IdentityEvent } from './domain/identity.events.js';
import { ErasureCertificates } from './erasure-certificates.js';
import { IdentityRepository, type LoadedIdentity } from './identity-repository.js';

const AUDIT_ENTRY_NAMESPACE = '8b7f0f4e-3b0e-4f39-9d0e-6f0b5a6f9c11';
/** Milliseconds after the erasure. */
const BACKUPS_LAST = BACKUP_DAYS * 24 * 3_600_000;

/**
 * Time after a key's destruction when no instance holds it any more, milliseconds. The slack covers differences
 * between the instances' clocks. Tests that forget keys sooner scale the slack too.
 */
export const surelyForgottenWithin = (forgottenWithin: number = FORGOTTEN_WITHIN): number =>
  forgottenWithin + CLOCK_SLACK_MS * (forgottenWithin / FORGOTTEN_WITHIN);

interface Target {
  readonly tenantId: TenantId;
  readonly identityId: string;
}

/**
 * Carries out a hard delete, from the decision in the stream to the certificate. Every step may be repeated. After a
 * crash, the decided erasure is found due again and completed.
 */
@Injectable()
export class IdentityEraser {
  constructor(
    private readonly ledger: IdentityRepository,
    private readonly shredder: DataKeyShredder,
    private readonly steps: ErasureSteps,
    private readonly index: EligibilityQueries,
    private readonly certificates: ErasureCertificates,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Goes as far as is possible now. The erasure ends only when no instance holds the destroyed keys in memory. */
  async erase(target: Target): Promise<void> {
    const loaded = await this.ledger.load(target.tenantId, target.identityId);
    const { identity } = loaded.state;
    if (identity.phase !== 'erasing') return;
    const decided = await this.ledger.notable(loaded, 'decision');
    invariant(decided !== undefined, 'an erasure is decided before it is carried out');
    const now = this.clock.now();
    const destroyedAt = await this.shredder.destroy(identity.dataKeyIds, now);
    const sinceDestroyed = now.getTime() - (destroyedAt?.getTime() ?? 0);
    if (sinceDestroyed < surelyForgottenWithin(this.shredder.forgottenWithin)) return;
    if (!(await this.index.reaches(decided.position, 0))) return;
    await this.complete(target, loaded, decided, now);
  }

  private async complete(
    target: Target,
    loaded: LoadedIdentity,
    decided: Recorded<IdentityEvent>,
    now: Date,
  ): Promise<void> {
    const { identity } = loaded.state;
    const { identityHash, dataKeyIds } = identity;
    const copies = await this.steps.run({
      tenantId: target.tenantId,
      identityId: target.identityId,
      identityHash,
      dataKeyIds,
      decisionId: decided.id,
      requestId: decided.metadata.$correlationId,
    });
    const destroyed = [{ kind: 'data_keys', count: dataKeyIds.length }, ...copies];
    await this.ledger.forget(target);
    const backupsLastUntil = new Date(now.getTime() + BACKUPS_LAST);
    const certificate = await this.certificates.issue({
      ...target,
      identityHash,
      erasedAt: now,
      destroyed,
      backupsLastUntil,
    });
    const metadata = {
      requestId: decided.metadata.$correlationId,
      causationId: decided.id,
      actor: decided.metadata.actor,
    };
    await this.record(target, identityHash, decided.id, metadata.requestId);
    await this.ledger.execute(
      target,
      {
        kind: 'complete_erasure',
        identityId: target.identityId,
        now,
        destroyed,
        backupsLastUntil: backupsLastUntil.toISOString(),
        certificate,
      },
      metadata,
      { loaded },
    );
    // Reads the remains of a long life, the ids of destroyed keys, once here. So no request for the certificate waits
    // for it.
    await this.ledger.load(target.tenantId, target.identityId);
  }

  private record(target: Target, identityHash: string, decisionId: string, requestId: string): Promise<void> {
    return this.audit.record({
      entryId: deriveUuid(AUDIT_ENTRY_NAMESPACE, decisionId),
      tenantId: target.tenantId,
      action: 'identity_erased',
      result: 'ok',
      identityHash,
      about: { identityId: target.identityId },
      access: { requestId, ipAddress: '', userAgent: '', actorId: 'system', startedAt: this.clock.monotonic() },
    });
  }
}
