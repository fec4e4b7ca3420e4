import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type Recorded } from '../../kernel/events.js';
import { uuidHex } from '../../kernel/ids.js';

export const DOCUMENT_STREAM_PREFIX = 'document-';

export const documentStream = (tenantId: string, documentId: string): string =>
  `${DOCUMENT_STREAM_PREFIX}${tenantId}_${uuidHex(documentId)}`;

/** A report is about a period; an export holds what the service keeps of an account, or of one person. */
export type DocumentKind = 'report' | 'export';

export const REPORT_FORMATS = ['json', 'csv', 'pdf'] as const;

export type DocumentFormat = (typeof REPORT_FORMATS)[number];

export const REPORT_SECTIONS = ['summary', 'audit_log', 'sanctions_checks', 'pep_checks'] as const;

export type ReportSection = (typeof REPORT_SECTIONS)[number];

/** Accepted. It is made later, from the log as it stands then. Times are ISO 8601, UTC, milliseconds. */
export type DocumentRequested = DomainEvent<
  'DocumentRequested.v1',
  {
    /** Of a report it is the id of the deduction that pays for it, too. An export is free. */
    readonly documentId: string;
    readonly kind: DocumentKind;
    readonly format: DocumentFormat;
    /** A report's period: `from` inclusive, `to` exclusive. Null for an export. */
    readonly period: { readonly from: string; readonly to: string } | null;
    /** A report's sections. Empty for an export. */
    readonly include: readonly ReportSection[];
    /** Limits an export to this person. */
    readonly identityId: string | null;
    readonly requestedAt: string;
    /** An export's request is its audit entry, too: the event's id is `documentId`, and `access` is sealed at its place. */
    readonly action?: 'data_exported';
    readonly result?: 'ok';
    readonly access?: Envelope;
    readonly subject?: string;
  }
>;

export type ExportRequested = DomainEvent<
  DocumentRequested['type'],
  DocumentRequested['data'] & Required<Pick<DocumentRequested['data'], 'action' | 'result' | 'access'>>
>;

export const isExportRequest = (event: Recorded<DocumentRequested>): event is Recorded<ExportRequested> =>
  event.data.access !== undefined;

export type DocumentCompleted = DomainEvent<
  'DocumentCompleted.v1',
  {
    readonly documentId: string;
    readonly kind: DocumentKind;
    readonly fileId: string;
    /** Hexadecimal, of the whole file. */
    readonly sha256: string;
    readonly bytes: number;
    readonly completedAt: string;
    /** The file is destroyed then. */
    readonly expiresAt: string;
  }
>;

export type CompletedFile = Omit<DocumentCompleted['data'], 'documentId' | 'kind'>;

export type DocumentFailed = DomainEvent<
  'DocumentFailed.v1',
  {
    readonly documentId: string;
    readonly kind: DocumentKind;
    /** Shown to the account. */
    readonly reason: string;
    readonly failedAt: string;
  }
>;

/** The file of a completed document is gone, so it is made again. */
export type DocumentFileLost = DomainEvent<
  'DocumentFileLost.v1',
  { readonly documentId: string; readonly fileId: string; readonly lostAt: string }
>;

export type ExpiryReason = 'age' | 'request' | 'erasure';

/** Its file must be destroyed, or is not made any more. */
export type DocumentExpired = DomainEvent<
  'DocumentExpired.v1',
  {
    readonly documentId: string;
    /** Null if it was not complete. */
    readonly fileId: string | null;
    readonly reason: ExpiryReason;
    readonly expiredAt: string;
  }
>;

/** The credits of a report went back. Its file must be destroyed, and it is not made any more. */
export type DocumentWithdrawn = DomainEvent<
  'DocumentWithdrawn.v1',
  { readonly documentId: string; readonly withdrawnAt: string }
>;

export type DocumentEvent =
  DocumentRequested | DocumentCompleted | DocumentFileLost | DocumentFailed | DocumentExpired | DocumentWithdrawn;
