import { Injectable } from '@nestjs/common';
import { ELIGIBILITY } from '../../projections/eligibility/eligibility.queries.js';
import { identitiesAfter, type IdentityRow, identityWithId } from '../../projections/eligibility/identities.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { openedOrMarked } from '../platform/crypto/open-if-possible.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { ExportSection, type Exports, type ExportScope } from '../contract/exports/export-section.js';
import { type PersonalData } from './commands.js';
import { PERSONAL_FIELD } from './domain/identity.events.js';

const PAGE = 500;

/** The tenant's identity records, decrypted. */
@ExportSection({ file: 'identities.json', readModel: ELIGIBILITY })
@Injectable()
export class IdentitiesExport implements Exports {
  constructor(private readonly vault: Vault) {}

  async *records({ tenantId, person, snapshot, name }: ExportScope): AsyncGenerator<readonly object[]> {
    let after = '';
    for (;;) {
      const rows =
        person === undefined
          ? await identitiesAfter(snapshot, tenantId, after, PAGE)
          : [await identityWithId(snapshot, tenantId, person.identityId)].filter((row) => row !== undefined);
      await name(rows.map(({ identityHash }) => identityHash));
      const opened = await Promise.all(rows.map((row) => this.open(tenantId, row)));
      yield opened.filter((record) => record !== undefined);
      after = rows.at(-1)?.identityId ?? '';
      if (person !== undefined || rows.length < PAGE) return;
    }
  }

  /** Undefined if the identity was erased since the snapshot. Without personal data, and marked, where its key is away. */
  private async open(tenantId: TenantId, row: IdentityRow): Promise<object | undefined> {
    const place = { tenantId, stream: row.stream, eventId: row.eventId, field: PERSONAL_FIELD };
    const personal = await openedOrMarked(() => this.vault.open(place, row.personal));
    if (personal === ERASED) return undefined;
    return {
      identity_id: row.identityId,
      identity_hash: row.identityHash,
      ...(personal as Partial<PersonalData> | { readonly unreadable: true }),
      kyc_status: row.status,
      tier: row.tier,
      kyc_expires_at: row.kycExpiresAt,
      last_verified_at: row.lastVerifiedAt,
      received_at: row.receivedAt,
      ingestion_id: row.ingestionId,
      deleted_at: row.deletedAt,
      purge_at: row.purgeAt,
    };
  }
}
