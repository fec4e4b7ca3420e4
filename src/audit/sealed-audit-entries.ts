import { Injectable } from '@nestjs/common';
import { AuditEntries, type OpenedAccess } from '../kernel/access.js';
import { type Envelope } from '../kernel/envelope.js';
import { type TenantId } from '../kernel/ids.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { type AccessDetails } from './domain/audit.events.js';

@Injectable()
export class SealedAuditEntries extends AuditEntries {
  constructor(private readonly vault: Vault) {
    super();
  }

  async open(
    tenantId: TenantId,
    { stream, eventId, access }: { readonly stream: string; readonly eventId: string; readonly access: Envelope },
  ): Promise<OpenedAccess> {
    const opened = await this.vault.open({ tenantId, stream, eventId, field: 'access' }, access);
    const details = opened === ERASED ? undefined : (opened as AccessDetails);
    return {
      identityHash: details?.identityHash ?? '',
      ipAddress: details?.ipAddress ?? '',
      userAgent: details?.userAgent ?? '',
    };
  }
}
