import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { CLOCK } from '../platform/tokens.js';
import { CredentialRepository } from './credential-repository.js';

type IdentityChange =
  | { readonly kind: 'suspend' | 'reinstate'; readonly cause: 'identity_deleted' }
  | { readonly kind: 'revoke'; readonly cause: 'identity_erased' };

/** What becomes of a person's credentials with the person's identity. */
@Injectable()
export class IdentityCredentials {
  constructor(
    private readonly credentials: CredentialRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** May be repeated. Returns the number of credentials that it changed now. Throws Unavailable. */
  async changeAll(
    tenantId: TenantId,
    credentialIds: readonly string[],
    change: IdentityChange,
    metadata: CommandMetadata,
  ): Promise<number> {
    let changed = 0;
    for (const credentialId of credentialIds) {
      const command = { ...change, reason: null, now: this.clock.now() };
      const { appended } = await this.credentials.change({ tenantId, credentialId }, command, metadata);
      changed += appended.length;
    }
    return changed;
  }

  /** May be repeated. Returns the number of offers that it ended now. Throws Unavailable. */
  async endOffers(tenantId: TenantId, credentialIds: readonly string[], metadata: CommandMetadata): Promise<number> {
    let ended = 0;
    for (const credentialId of credentialIds) {
      const command = { kind: 'end_offer', cause: 'erased', now: this.clock.now() } as const;
      const { appended } = await this.credentials.changeOffer({ tenantId, credentialId }, command, metadata);
      ended += appended.length;
    }
    return ended;
  }
}
