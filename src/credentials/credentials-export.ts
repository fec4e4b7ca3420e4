import { Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { CREDENTIALS, type CredentialId, credentialsAfter } from '../../projections/credentials/credentials.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { openedOrMarked } from '../platform/crypto/open-if-possible.js';
import { ExportSection, type Exports, type ExportScope, pagesOf } from '../contract/exports/export-section.js';
import { CredentialRepository, type CredentialTarget } from './credential-repository.js';
import { type CredentialIssued } from './domain/credential.events.js';
import { type Credential, statusOf } from './domain/credential.js';

const PAGE = 200;
const CONCURRENCY = 16;

interface Opened {
  readonly state: Credential;
  readonly issued: CredentialIssued['data'];
}

/** The credentials that the account issued, with their tokens where the person was not erased. */
@ExportSection({ file: 'credentials.json', readModel: CREDENTIALS })
@Injectable()
export class CredentialsExport implements Exports {
  constructor(private readonly credentials: CredentialRepository) {}

  async *records({ tenantId, person, snapshot, name }: ExportScope): AsyncGenerator<readonly object[]> {
    const of = { tenantId, identityId: person?.identityId };
    for await (const page of pagesOf<CredentialId>(PAGE, (last) => credentialsAfter(snapshot, of, last, PAGE))) {
      const opened = await pMap(page, ({ credentialId }) => this.open({ tenantId, credentialId }), {
        concurrency: CONCURRENCY,
      });
      const present = opened.filter((credential) => credential !== undefined);
      await name(present.map(({ issued }) => issued.identityHash));
      yield await Promise.all(present.map((credential) => this.recordOf(tenantId, credential)));
    }
  }

  /** Undefined if it was purged since the snapshot. */
  private async open(target: CredentialTarget): Promise<Opened | undefined> {
    const { state } = await this.credentials.load(target);
    return state.issued === null ? undefined : { state, issued: state.issued };
  }

  /** Without what is sealed, and marked, where its key is away. */
  private async recordOf(tenantId: TenantId, { state, issued }: Opened): Promise<object> {
    const { credentialId, identityId, tier, issuedAt, expiresAt } = issued;
    const target = { tenantId, credentialId };
    return {
      credential_id: `urn:uuid:${credentialId}`,
      identity_id: identityId,
      status: statusOf(state),
      tier,
      issued_at: issuedAt,
      expires_at: expiresAt,
      changed_at: state.latest?.changedAt ?? null,
      ...(await openedOrMarked(async () => ({
        reason: await this.credentials.openReason(target, state),
        token: (await this.credentials.openToken(target, issued)) ?? null,
      }))),
    };
  }
}
