import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { type DocumentKind } from '../../src/reports/domain/document.events.js';

export const DOCUMENTS = 'documents';

export interface DocumentRow {
  readonly tenantId: TenantId;
  readonly documentId: string;
}

export interface CompletedDocument extends DocumentRow {
  readonly fileId: string;
}

const COLUMNS = 'tenant_id AS "tenantId", document_id AS "documentId"';

/** The account that a document belongs to. */
export const documentWithId = async (readModels: ReadModels, documentId: string): Promise<DocumentRow | undefined> => {
  const rows = await readModels.query<DocumentRow>({
    name: 'document-with-id',
    text: `SELECT ${COLUMNS} FROM documents WHERE document_id = $1`,
    values: [documentId],
  });
  return rows[0];
};

/** Documents that were requested before this time and are not made yet, oldest first. */
export const documentsGenerating = (
  readModels: ReadModels,
  before: Date,
  limit: number,
): Promise<readonly DocumentRow[]> =>
  readModels.query<DocumentRow>({
    name: 'documents-generating',
    text: `SELECT ${COLUMNS} FROM documents WHERE status = 'generating' AND requested_at < $1 ORDER BY requested_at LIMIT $2`,
    values: [before, limit],
  });

/** Completed documents whose files are due for destruction, by id, behind the last. */
export const documentsExpired = (
  readModels: ReadModels,
  now: Date,
  last: DocumentRow | undefined,
  limit: number,
): Promise<readonly DocumentRow[]> =>
  readModels.query<DocumentRow>({
    name: 'documents-expired',
    text: `SELECT ${COLUMNS} FROM documents WHERE status = 'completed' AND expires_at <= $1 AND ($2::uuid IS NULL OR document_id > $2)
           ORDER BY document_id LIMIT $3`,
    values: [now, last?.documentId ?? null, limit],
  });

/** Completed documents with their files, by id, behind the last. */
export const documentsCompleted = (
  readModels: ReadModels,
  last: DocumentRow | undefined,
  limit: number,
): Promise<readonly CompletedDocument[]> =>
  readModels.query<CompletedDocument>({
    name: 'documents-completed',
    text: `SELECT ${COLUMNS}, file_id AS "fileId" FROM documents
           WHERE status = 'completed' AND ($1::uuid IS NULL OR document_id > $1) ORDER BY document_id LIMIT $2`,
    values: [last?.documentId ?? null, limit],
  });

/** Documents that were requested before this time, in order of their ids, after this one. */
export const documentsBefore = (
  readModels: ReadModels,
  before: Date,
  after: string,
  limit: number,
): Promise<readonly DocumentRow[]> =>
  readModels.query<DocumentRow>({
    name: 'documents-before',
    text: `SELECT ${COLUMNS} FROM documents WHERE requested_at < $1 AND document_id > $2 ORDER BY document_id LIMIT $3`,
    values: [before, after, limit],
  });

/** Newest first, with the total, from one snapshot. */
export const documentPage = async (
  readModels: ReadModels,
  { tenantId, kind }: { readonly tenantId: TenantId; readonly kind: DocumentKind },
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly documentIds: readonly string[] }> => {
  const [row] = await readModels.query<{ ids: string[]; total: string }>({
    name: 'documents-page',
    text: `SELECT (SELECT count(*) FROM documents WHERE tenant_id = $1 AND kind = $2) AS total, ARRAY(
             SELECT document_id::text FROM documents WHERE tenant_id = $1 AND kind = $2
             ORDER BY position DESC LIMIT $3 OFFSET $4) AS ids`,
    values: [tenantId, kind, page.limit, page.offset],
  });
  return { total: Number(row?.total ?? 0), documentIds: row?.ids ?? [] };
};
