import { tenantMetadata } from '../kernel/events.js';
import { Injectable } from '@nestjs/common';
import { documentWithId } from '../../projections/documents/documents.queries.js';
import { type AccessRecord, AuditTrail } from '../kernel/access.js';
import { AccountStandings } from '../kernel/account-standings.js';
import { newUuid, isUuid, type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { EncryptedFiles } from './encrypted-files.js';
import { ReadModels } from '../log/project/projection.js';
import { type Document, type Existing } from './domain/document.js';
import { type DocumentKind, type DocumentRequested, documentStream } from './domain/document.events.js';
import { DocumentJobs } from './document-jobs.js';
import { DocumentRepository, type DocumentTarget } from './document-repository.js';

export interface Download {
  readonly fileName: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

/** Requests documents, shows their state and opens their files. Everything throws Unavailable. */
@Injectable()
export class DocumentRequests {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly jobs: DocumentJobs,
    private readonly files: EncryptedFiles,
    private readonly accounts: AccountStandings,
    private readonly readModels: ReadModels,
    private readonly audit: AuditTrail,
  ) {}

  /** May be repeated with the same id: the document is requested once. */
  async request(
    tenantId: TenantId,
    request: DocumentRequested['data'],
    { requestId, actorId }: AccessRecord,
  ): Promise<Existing> {
    const target = { tenantId, documentId: request.documentId };
    const metadata = tenantMetadata({ requestId, actorId });
    const { state, position } = await this.documents.request(target, request, metadata);
    if (position !== undefined && request.access !== undefined) this.audit.recordedAt(tenantId, position);
    await this.jobs.enqueue(target);
    return existing(state);
  }

  /** The same for an export. Its request is its audit entry, so that neither is without the other. */
  async requestExport(
    tenantId: TenantId,
    request: DocumentRequested['data'],
    access: AccessRecord,
    identityHash: string | undefined,
  ): Promise<Existing> {
    const { documentId } = request;
    const entry = { tenantId, stream: documentStream(tenantId, documentId), eventId: documentId, access };
    const sealed = await this.audit.seal({ ...entry, ...(identityHash === undefined ? {} : { identityHash }) });
    const audited = { ...request, action: 'data_exported', result: 'ok', ...sealed } as const;
    return this.request(tenantId, audited, access);
  }

  /** Throws Rejection `not_found` if the tenant has no such document of this kind. */
  async find(tenantId: TenantId, kind: DocumentKind, documentId: string): Promise<Existing> {
    if (!isUuid(documentId)) throw refuse('not_found');
    const { state } = await this.documents.load({ tenantId, documentId });
    const document = existing(state);
    if (document.request.kind !== kind) throw refuse('not_found');
    return document;
  }

  /** Destroys the file at the account's request. The document stays, expired. */
  async remove(target: DocumentTarget, kind: DocumentKind, access: AccessRecord, now: Date): Promise<void> {
    await this.find(target.tenantId, kind, target.documentId);
    const metadata = tenantMetadata(access);
    await this.documents.execute(target, { kind: 'expire', reason: 'request', now }, metadata);
    await this.files.destroyOthers(target, null);
  }

  /** The file behind a good link; the download is audited first. Throws Rejection `not_found` or `account_disabled`. */
  async open(documentId: string, access: AccessRecord): Promise<Download> {
    const owner = isUuid(documentId) ? await documentWithId(this.readModels, documentId) : undefined;
    if (owner === undefined) throw refuse('not_found');
    const { request, status, file } = existing((await this.documents.load(owner)).state);
    if (status !== 'completed' || file === undefined) throw refuse('not_found');
    const standing = await this.accounts.of(owner.tenantId);
    if (standing === undefined || standing.suspended) throw refuse('account_disabled');
    if (!(await this.files.isPresent(file.fileId))) throw refuse('not_found');
    const entry = { entryId: newUuid(), tenantId: owner.tenantId, action: 'report_downloaded', result: 'ok' } as const;
    await this.audit.record({ ...entry, access });
    const { kind } = request;
    const extension = kind === 'export' || request.format === 'csv' ? 'zip' : request.format;
    return {
      fileName: `${kind}-${documentId}.${extension}`,
      bytes: file.bytes,
      content: this.files.read(file.fileId),
    };
  }
}

const existing = (document: Document): Existing => {
  if (document.status === 'none' || document.status === 'withdrawn') throw refuse('not_found');
  return document;
};
