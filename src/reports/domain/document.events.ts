import { type DomainEvent } from '../../kernel/decider.js';
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
    readonly documentId: string;
    readonly kind: DocumentKind;
    readonly format: DocumentFormat;
    /** A report's period: `from` inclusive, `to` exclusive. Null for an export. */
    readonly period: { readonly from: string; readonly to: string } | null;
    /** A report's sections. Empty for an export. */
    readonly include: readonly ReportSection[];
    /** Limits an export to this person. */
    readonly identityId: string | null;
    /** The deduction that paid for a report. Null for an export, which is free. */
    readonly deductionId: string | null;
    readonly requestedAt: string;
  }
>;

/** A repeated request found the document of an earlier attempt. The earlier deduction was refunded, so this one pays. */
export type DocumentPaid = DomainEvent<
  'DocumentPaid.v1',
  { readonly documentId: string; readonly deductionId: string; readonly paidAt: string }
>;

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

export type DocumentEvent = DocumentRequested | DocumentPaid | DocumentCompleted | DocumentFailed | DocumentExpired;
