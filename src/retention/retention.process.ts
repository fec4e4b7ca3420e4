import { PAYMENT_STREAM_PREFIX, paymentStream } from '../billing/domain/payment.events.js';
import { OPERATOR_STREAM } from '../accounts/domain/operator.events.js';
import { claimStream } from '../claims/domain/claim.events.js';
import { CLAIMS_STREAM_PREFIX, claimsStream } from '../claims/domain/claims.events.js';
import { CarryBalanceForward } from '../credits/domain/credits.commands.js';
import { CREDITS_STREAM_PREFIX, creditsStream } from '../credits/domain/credits.events.js';
import { INGESTION_STREAM_PREFIX, type IngestionEvent, ingestionStream } from '../identity/domain/ingestion.events.js';
import { CREDENTIAL_STREAM_PREFIX, credentialStream } from '../credentials/domain/credential.events.js';
import { DOCUMENT_STREAM_PREFIX, documentStream } from '../reports/domain/document.events.js';
import { CLOCK_SLACK_MS } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { SECURITY_STREAM } from '../audit/domain/security.events.js';
import { AUDIT_STREAM_PREFIX, auditStream } from '../audit/domain/audit.events.js';
import { utcMonth } from './domain/retention-periods.js';

export {
  AUDIT_STREAM_PREFIX,
  CLAIMS_STREAM_PREFIX,
  CREDENTIAL_STREAM_PREFIX,
  CREDITS_STREAM_PREFIX,
  DOCUMENT_STREAM_PREFIX,
  INGESTION_STREAM_PREFIX,
  PAYMENT_STREAM_PREFIX,
};

export { type AuditEvent, entriesIn } from '../audit/domain/audit.events.js';

/** A stream whose oldest part is purged, and its owner. */
export interface AgeingStream {
  readonly stream: string;
  readonly owner: string;
}

export const auditOf = (tenantId: TenantId): AgeingStream => ({ stream: auditStream(tenantId), owner: tenantId });

/** The operators' acts are the record of security events. */
export const AUDIT_OF_OPERATORS: AgeingStream = { stream: OPERATOR_STREAM, owner: 'operators' };

/** Refused accesses and reads of the logs. */
export const SECURITY_LOG: AgeingStream = { stream: SECURITY_STREAM, owner: 'operators' };

export const billingOf = (tenantId: TenantId): AgeingStream => ({ stream: creditsStream(tenantId), owner: tenantId });

/**
 * After one of these events an ingestion does not change by itself. Parts that were never accepted do not change
 * either.
 */
const ENDS_OF_INGESTIONS: ReadonlySet<string> = new Set<IngestionEvent['type']>([
  'IngestionCompleted.v1',
  'IngestionFailed.v1',
  'IngestionRecordsReceived.v1',
]);

export const isEndOfIngestion = (type: string): boolean => ENDS_OF_INGESTIONS.has(type);

export const ingestionOf = (tenantId: TenantId, ingestionId: string): AgeingStream => ({
  stream: ingestionStream(tenantId, ingestionId),
  owner: tenantId,
});

export const askedClaimsOf = (tenantId: TenantId): AgeingStream => ({
  stream: claimsStream(tenantId),
  owner: tenantId,
});

export const heldClaimOf = (tenantId: TenantId, claimId: string): AgeingStream => ({
  stream: claimStream(tenantId, claimId),
  owner: tenantId,
});

export const credentialOf = (tenantId: TenantId, credentialId: string): AgeingStream => ({
  stream: credentialStream(tenantId, credentialId),
  owner: tenantId,
});

export const paymentOf = (tenantId: TenantId, purchaseId: string): AgeingStream => ({
  stream: paymentStream(tenantId, purchaseId),
  owner: tenantId,
});

export const documentOf = (tenantId: TenantId, documentId: string): AgeingStream => ({
  stream: documentStream(tenantId, documentId),
  owner: tenantId,
});

/**
 * A balance carried before this time has no events below it that must be kept. The slack covers differences between
 * clocks.
 */
export const carriedSince = (keptSince: Date): Date => new Date(keptSince.getTime() - CLOCK_SLACK_MS);

/** Each account is carried forward once per UTC month, so that its stream can later be truncated there. */
export const carryForward = (tenantId: TenantId, now: Date, requestId: string): CarryBalanceForward =>
  new CarryBalanceForward(
    tenantId,
    { period: utcMonth(now), time: now.toISOString() },
    { requestId, actor: { type: 'system', id: 'retention' } },
  );

export const startOfMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
