import { Injectable } from '@nestjs/common';
import {
  type CredentialFilter,
  CredentialQueries,
  type CredentialRow,
} from '../../projections/credentials/credentials.queries.js';
import { type AccessRecord, AuditTrail } from '../kernel/access.js';
import { newUuid } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { CredentialRepository, type CredentialTarget } from './credential-repository.js';
import { type CredentialIssued } from './domain/credential.events.js';
import { type CredentialStatus, statusOf } from './domain/credential.js';
import { statusListUrl } from './domain/credential-claims.js';
import { IssuerIdentity } from './issuer.js';

/** A tenant's own credential. */
export interface OpenedCredential {
  readonly issued: CredentialIssued['data'];
  /** Whether its credits went back. Then its token is no one's. */
  readonly unpaid: boolean;
  readonly status: CredentialStatus;
  readonly reason: string | null;
  readonly changedAt: string | null;
  /** The list that shows the latest change. */
  readonly statusListUrl: string;
}

/** Reads a tenant's own credentials. */
@Injectable()
export class CredentialReader {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly registry: CredentialQueries,
    private readonly issuer: IssuerIdentity,
    private readonly audit: AuditTrail,
  ) {}

  /** As the stream has it now. Throws Rejection not_found. */
  async open(target: CredentialTarget): Promise<OpenedCredential> {
    const { state } = await this.credentials.load(target);
    if (state.issued === null) throw refuse('not_found');
    const { baseUrl } = await this.issuer.present();
    const shownIn = state.latest === null || state.revokedBy !== null ? 'revocation' : 'suspension';
    return {
      issued: state.issued,
      unpaid: state.revokedBy === 'unpaid',
      status: statusOf(state),
      reason: await this.credentials.openReason(target, state),
      changedAt: state.latest?.changedAt ?? null,
      statusListUrl: statusListUrl(baseUrl, shownIn, state.issued.status.list),
    };
  }

  /** The same with its token, null if that was erased or never paid for. The access is audited before. */
  async read(
    target: CredentialTarget,
    access: AccessRecord,
  ): Promise<OpenedCredential & { readonly token: string | null }> {
    const opened = await this.open(target);
    const { identityHash } = opened.issued;
    await this.record(target.tenantId, access, identityHash);
    const token = opened.unpaid ? undefined : await this.credentials.openToken(target, opened.issued);
    return { ...opened, token: token ?? null };
  }

  async page(
    filter: CredentialFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    access: AccessRecord,
  ): Promise<{ readonly rows: readonly CredentialRow[]; readonly total: number }> {
    await this.registry.assertCurrent();
    await this.record(filter.tenantId, access);
    return this.registry.page(filter, limit, offset);
  }

  private record(tenantId: CredentialTarget['tenantId'], access: AccessRecord, identityHash?: string): Promise<void> {
    return this.audit.record({
      entryId: newUuid(),
      tenantId,
      action: 'credential_read',
      result: 'ok',
      ...(identityHash === undefined ? {} : { identityHash }),
      access,
    });
  }
}
