import { type DomainEvent } from '../../kernel/decider.js';

/** Calls alike within a few seconds, recorded once. They name no person: neither address, nor URL, nor user agent. */
interface SecurityCalls {
  /** Method and route template, for example `GET /api/v1/compliance/audit-log`. */
  readonly action: string;
  readonly status: number;
  /** The error code of the answer. Null where it was none. */
  readonly code: string | null;
  /** The account of the key or the token. Null where none was recognised. */
  readonly tenantId: string | null;
  /** How many calls. `requestId` is the first one's. */
  readonly count: number;
  readonly requestId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly firstAt: string;
  readonly lastAt: string;
}

/** Calls that were answered by 401 or 403. */
export type AccessRefused = DomainEvent<'AccessRefused.v1', SecurityCalls>;

/** Reads of the audit log, of the access log or of the security log. */
export type LogRead = DomainEvent<'LogRead.v1', SecurityCalls>;

export type SecurityEvent = AccessRefused | LogRead;

export const SECURITY_STREAM = 'security-deployment';
