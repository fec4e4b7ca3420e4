import { Injectable } from '@nestjs/common';
import { AuditEntries, type OpenedAccess } from '../kernel/access.js';
import { type Envelope } from '../kernel/envelope.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { type AccessDetails, type AccessesRecorded, entryIdOf } from './domain/audit.events.js';

/** What an event may hold of the audit log: one entry, which other streams hold too, or many. */
type AuditedData = { readonly access?: Envelope } & Partial<AccessesRecorded['data']>;

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
      ipAddress: details === undefined ? '' : details.ipAddress,
      userAgent: details?.userAgent ?? '',
      about: details?.about ?? {},
      answered: details?.answered ?? {},
    };
  }

  async openAll({ id, stream, data }: Pick<StoredEvent, 'id' | 'stream' | 'data'>): Promise<readonly OpenedAccess[]> {
    const tenantId = tenantOfStream(stream) as TenantId;
    const { access, batchId, entries = [] } = data as AuditedData;
    if (access !== undefined) return [await this.open(tenantId, { stream, eventId: id, access })];
    if (batchId === undefined) return [];
    return Promise.all(
      entries.map((entry) =>
        this.open(tenantId, { stream, eventId: entryIdOf(batchId, entry.index), access: entry.access }),
      ),
    );
  }
}
