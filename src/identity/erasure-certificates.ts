import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { CONFIG } from '../platform/tokens.js';
import { type IdentityErased } from './domain/identity.events.js';
import { IdentityRepository } from './identity-repository.js';

export interface CertifiedErasure {
  readonly tenantId: TenantId;
  readonly identityId: string;
  readonly identityHash: string;
  readonly erasedAt: Date;
  readonly destroyed: IdentityErased['data']['destroyed'];
  readonly backupsLastUntil: Date;
}

/** Issues signed statements that an identity was erased. They hold ids, counts and times, no personal data. */
@Injectable()
export class ErasureCertificates implements OnApplicationBootstrap {
  constructor(
    private readonly keys: SigningKeys,
    private readonly ledger: IdentityRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Makes the signing key at the first start, so that every backup of Postgres holds it. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.keys.prepare('erasure_certificate');
    } catch (error) {
      // Postgres failed at this moment. The first certificate then makes the key.
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  issue(erasure: CertifiedErasure): Promise<string> {
    return this.keys.sign('erasure_certificate', {
      iss: this.config.publicUrl ?? `urn:kyc-network:${this.config.environment}`,
      sub: erasure.identityId,
      aud: erasure.tenantId,
      iat: Math.floor(erasure.erasedAt.getTime() / 1_000),
      jti: `urn:uuid:${newUuid()}`,
      identity_hash: erasure.identityHash,
      erased_at: erasure.erasedAt.toISOString(),
      destroyed: erasure.destroyed,
      backups_last_until: erasure.backupsLastUntil.toISOString(),
    });
  }

  /** The erasure of the latest erased life, even if a new life has begun. */
  async latest(tenantId: TenantId, identityId: string): Promise<IdentityErased['data'] | undefined> {
    const loaded = await this.ledger.load(tenantId, identityId);
    const erased = await this.ledger.notable(loaded, 'erasure');
    return erased?.type === 'IdentityErased.v1' ? erased.data : undefined;
  }
}
