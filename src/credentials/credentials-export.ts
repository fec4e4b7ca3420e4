import { Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { type CredentialId, credentialsAfter } from '../../projections/credentials/credentials.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { ExportSection, type Exports, type ExportScope } from '../platform/exports/export-section.js';
import { CredentialReader } from './credential-reader.js';
import { CredentialRepository } from './credential-repository.js';

const PAGE = 200;
const CONCURRENCY = 16;

/** The credentials that the account issued, with their tokens where the person was not erased. */
@ExportSection({ file: 'credentials.json' })
@Injectable()
export class CredentialsExport implements Exports {
  constructor(
    private readonly reader: CredentialReader,
    private readonly credentials: CredentialRepository,
  ) {}

  async *records({ tenantId, person, snapshot, name }: ExportScope): AsyncGenerator<readonly object[]> {
    let after: CredentialId | undefined;
    do {
      const page = await credentialsAfter(snapshot, { tenantId, identityId: person?.identityId }, after, PAGE);
      const opened = await pMap(page, ({ credentialId }) => this.reader.open({ tenantId, credentialId }), {
        concurrency: CONCURRENCY,
      });
      await name(opened.map(({ issued }) => issued.identityHash));
      yield await Promise.all(opened.map((credential) => this.recordOf(tenantId, credential)));
      after = page.length < PAGE ? undefined : page.at(-1);
    } while (after !== undefined);
  }

  private async recordOf(
    tenantId: TenantId,
    { issued, status, reason, changedAt }: Awaited<ReturnType<CredentialReader['open']>>,
  ): Promise<object> {
    const { credentialId, identityId, tier, issuedAt, expiresAt } = issued;
    const token = await this.credentials.openToken({ tenantId, credentialId }, issued);
    return {
      credential_id: `urn:uuid:${credentialId}`,
      identity_id: identityId,
      status,
      tier,
      issued_at: issuedAt,
      expires_at: expiresAt,
      changed_at: changedAt,
      reason,
      token: token ?? null,
    };
  }
}
