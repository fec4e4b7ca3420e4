/** Prefixes of the streams whose limits a tenant sees. */
export { AUDIT_STREAM_PREFIX } from '../audit/domain/audit.events.js';
export { CREDENTIAL_STREAM_PREFIX } from '../credentials/domain/credential.events.js';
export { CREDITS_STREAM_PREFIX } from '../credits/domain/credits.events.js';
export { INGESTION_STREAM_PREFIX } from '../identity/domain/ingestion.events.js';
